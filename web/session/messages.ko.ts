import { integer } from '../i18n/numbers'
import type { Messages } from './messages.en'

const again = 'ropescope heads로 다시 만들거나 삭제하세요.'

export default {
  change: {
    head: (name) => `헤드 ${name}`,
    heads: (names) => `헤드 ${names.join(', ')}`,
    manyHeads: (count) => `헤드 ${integer(count)}개`,
    layer: (layer) => `${layer}층`,
    allHeads: '모든 헤드',
    pairs: (pairs, where) => `${where}의 ${pairs.join(', ')}번 쌍`,
    manyPairs: (count, where) => `${where}의 쌍 ${integer(count)}개`,
    pairsOfSeveral: '여러 헤드의 쌍',

    neuron: (name) => `뉴런 ${name}`,
    neurons: (names) => `뉴런 ${names.join(', ')}`,
    manyNeurons: (count) => `뉴런이나 신경망 ${integer(count)}개`,
    network: (layer) => `${layer}층 피드포워드 신경망`,
    numbers: (places) => places,
    manyNumbers: (count) => `숫자 ${integer(count)}개 넣음`,

    without: (heads) => `${heads} 끔`,
    mean: (heads) => `${heads} 대신 평균`,
    frozen: (pairs) => `${pairs} 고정`,
    ablated: (pairs) => `${pairs} 제거`,
    scaling: (name, factor) =>
      `${name === undefined ? '다른 RoPE 스케일링' : `RoPE 스케일링 ${name}`}${factor === undefined ? '' : `, 배율 ${factor}`}`,
    rotaryValue: '값 회전(rotary_value)',
    rotatesValues: '값을 돌렸다가 되돌림(RoVE)',
    logN: (n) => `log-n 스케일링, n = ${n}`,
    distanceClamp: (clamp) => `거리 한도 ${integer(clamp)}`,
    attention: {
      softmax: '소프트맥스 어텐션',
      linear: '선형 어텐션',
      linear_rotate_first: '선형 어텐션, φ보다 먼저 회전',
    },
    offset: (offset) => `위치를 ${integer(offset)}만큼 옮김`,

    line: '모델에서 바꾼 것',
    undo: (text) => `${text}: 되돌리기`,
    undoAll: '모두 되돌리기',
  },
  describedHeads: {
    noJson: `heads.json이 JSON이 아닙니다. ${again}`,
    others: (layers, heads) =>
      `heads.json이 이 모델의 ${integer(layers)} × ${integer(heads)} 헤드를 설명하지 않습니다. ${again}`,
    book: '학습에 쓰지 않은 텍스트',
  },
  heldOut: {
    unreadable: (file, why) => `${file}: ${why}. training/held_out.py로 다시 만들거나 삭제하세요.`,
    noJson: 'JSON이 아닙니다',
    noRows: '행의 수와 행마다의 토큰 수가 적혀 있지 않습니다',
    tooLong: (tokens, most) => `행의 길이가 토큰 ${integer(tokens)}개인데 이 모델은 ${integer(most)}개까지 읽습니다`,
    noBits: '토큰의 비트 수가 적혀 있지 않습니다',
    tooShort: '적힌 수보다 토큰이 적습니다',
    noSpecial: '특수 토큰이 적혀 있지 않습니다',
    unknownTokens: '이 모델에 없는 토큰이 들어 있습니다',
    noMasks: '가려진 토큰이 없습니다',
  },
} satisfies Messages
