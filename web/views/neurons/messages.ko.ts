import { integer, signed } from '../../i18n/numbers'
import { query, sentence, token } from '../../i18n/rich'
import type { Messages } from './messages.en'

export default {
  help: '한 층의 피드포워드 네트워크에서 토큰에 가장 세게 답하는 뉴런과, 그중 하나가 하는 일입니다.',
  source:
    '뉴런은 피드포워드 네트워크의 두 투영 사이에 있는 열입니다. 값은 활성화와, 게이트가 있으면 게이트까지 지난 뒤 둘째 투영이 읽는 것입니다. 읽는 것은 첫 투영이나 게이트에서 뉴런의 행과 단어 임베딩의 내적이고, 쓰는 것은 둘째 투영에서 뉴런의 열과 출력 헤드의 곱입니다(Geva 등 2022, arXiv 2203.14680). 둘 다 텍스트와 상관없이 가중치만으로 정해집니다. 뉴런 하나가 여러 가지를 나타낼 수도, 여러 뉴런이 하나를 나타낼 수도 있습니다.',
  loading: '뉴런을 읽는 중…',
  number: '뉴런',
  strongestOne: '가장 센 뉴런',
  switches: '끄기',
  offNeuron: (neuron) => `뉴런 ${neuron}`,
  offNetwork: (layer) => `${integer(layer)}층의 피드포워드 네트워크`,
  offHelp: '모든 토큰에서 값이 0이 되고, 그 뒤를 모두 다시 계산합니다.',
  noSwitches: '인코더의 뉴런은 끌 수 없습니다. 개입은 디코더에만 할 수 있습니다.',
  strongest: (of) => `${of}에서 가장 센 뉴런`,
  atTokens: (neuron) => `토큰마다의 뉴런 ${neuron}`,
  columns: { value: '값', inner: '활성화 전', gate: '게이트' },
  reads: '읽는 것',
  likelier: '더 그럴듯하게',
  lessLikely: '덜 그럴듯하게',
  label: (layer, of, neuron) =>
    `막대: ${of}에서 ${integer(layer)}층의 가장 센 뉴런과, 토큰마다의 뉴런 ${neuron}. 위아래로 뉴런을, 좌우로 토큰을 고릅니다.`,
  headline: (neuron, layer, at, value) =>
    sentence`${integer(layer)}층의 뉴런 ${String(neuron)}이 가장 세게 답하는 토큰: ${token(at)}, ${value}.`,
  zero: (neuron, layer) => `${integer(layer)}층의 뉴런 ${neuron}은 모든 토큰에서 0입니다.`,
  offHeadline: {
    neuron: (neuron, layer) => `${integer(layer)}층의 뉴런 ${neuron}은 꺼져 있어 모든 토큰에서 0입니다.`,
    network: (_, layer) => `${integer(layer)}층의 피드포워드 네트워크는 꺼져 있어 모든 뉴런이 0입니다.`,
  },
  line: (at, value, strongest, most) =>
    sentence`${query(at)}에서는 ${value}입니다. 거기서 가장 센 뉴런은 ${String(strongest)}번으로 ${most}입니다.`,
  isStrongest: (at, value) => sentence`${query(at)}에서는 가장 센 뉴런으로, ${value}입니다.`,
  next: '다음 토큰',
  stays: (change, place, fill, before, after) =>
    sentence`${change}: ${place}의 첫 예측은 그대로 ${token(fill)}, ${before} → ${after}.`,
  turns: (change, place, from, before, to, after) =>
    sentence`${change}: ${place}의 첫 예측은 ${token(from)}(${before}) → ${token(to)}(${after}).`,
  nothingPredicted: (change) =>
    `${change}: 여기서는 예측하는 것이 없습니다. 무엇이 바뀌는지는 다른 보기가 보여 줍니다.`,
  columnsNote: (isGated) =>
    `값: 둘째 투영이 읽는 것.${isGated ? ' 활성화 전과 게이트: 활성화 함수 앞의 숫자.' : ' 활성화 전: 활성화 함수 앞의 숫자.'}`,
  byWeights: '읽는 것과 쓰는 것은 가중치만으로 정해집니다. 정규화와 뒤의 층은 세지 않습니다.',
  skipsHead: '쓰는 것은 근사입니다. 출력 헤드 자신의 층은 빼고, 그 행렬 대신 단어 임베딩을 씁니다.',
  noWrites: {
    encoder: '인코더는 토큰을 예측하지 않습니다. 인코더의 뉴런이 쓰는 것에는 이름이 없습니다.',
    none: '이 모델에는 어휘의 출력 헤드가 없습니다. 뉴런이 쓰는 것에는 이름이 없습니다.',
  },
  moved: (neuron, value) => `뉴런 ${neuron}: ${signed(value)}`,
  movedTo: (of, value) => `${of}: ${signed(value)}`,
  table: '가장 센 뉴런',
  header: ['뉴런', '값', '활성화 전', '활성화 전 게이트'],
  tokenTable: (neuron) => `토큰마다의 뉴런 ${neuron}`,
  tokenHeader: ['토큰', '위치', '값'],
  wordTable: '읽는 것과 쓰는 것',
  wordHeader: ['목록', '토큰', 'id', '숫자'],
} satisfies Messages
