import { decimal, integer, percent, atMost } from '../../i18n/numbers'
import type { Messages } from './messages.en'

/** "바로 앞 토큰을 본다" */
const looks = {
  back: '바로 앞 토큰을',
  ahead: '바로 뒤 토큰을',
  itself: '자기 자신을',
  first: '첫 토큰을',
  last: '마지막 토큰을',
  sourceStart: '원문의 처음을',
  sourceEnd: '원문의 끝을',
}

/** "바로 앞 토큰의 가중치" */
const target = {
  back: '바로 앞 토큰',
  ahead: '바로 뒤 토큰',
  itself: '자기 자신',
  first: '첫 토큰',
  last: '마지막 토큰',
  sourceStart: '원문의 첫 토큰',
  sourceEnd: '원문의 마지막 토큰',
}

/** A weight or a share, with two digits. */
const share = (value: number) => decimal(value, 2)
const signed = (value: number) =>
  Math.abs(value) < 0.005 ? '0.00' : `${value < 0 ? '−' : '+'}${decimal(Math.abs(value), 2)}`
const correlated = (r: number) => `${r <= -0.005 ? '−' : ''}${decimal(Math.abs(r), 2)}`

const source = (linear: boolean) =>
  `${linear ? 'A와 B는 어텐션 가중치입니다. 선형 어텐션의 가중치에는 부호가 있고 행의 합이 1이 아니어서, 전체 가중치의 비율은 어림값입니다.' : 'A와 B는 소프트맥스 가중치입니다. 행마다 둘 다 합이 1이고 A − B의 합은 0입니다.'} r은 두 맵에서 0이 아닐 수 있는 모든 가중치의 상관계수(피어슨)입니다. 옮겨야 하는 가중치는 행마다 |A − B|의 합의 절반을 모든 행에 대해 평균한 것입니다. 둘이 같으면 0%, 함께 보는 토큰이 없으면 100%입니다. 두 텍스트에서는 처음과 끝의 같은 토큰만 빼는데, 그것이 짧은 텍스트의 4분의 1은 되어야 합니다. 길이가 같으면 모든 토큰을 위치별로 뺍니다. 한 행의 나머지 토큰은 하나로 칩니다. 같은 거리의 가중치는, 쿼리에서의 거리마다 전체 가중치 가운데 차지하는 비율의 차를 모두 더해 그 절반을 1에서 뺀 것입니다. 읽은 것으로 헤드가 무엇을 하는지는 보이지 않습니다. 같은 두 맵도 서로 다른 값을 나를 수 있습니다.`

export default {
  help: '두 어텐션 맵과 그 차이.',
  helpWithoutDifference: '두 어텐션 맵. 공통된 토큰이 너무 적어 차이는 없습니다.',
  source: source(false),
  sourceOf: source,

  a: 'A',
  b: 'B',
  difference: 'A − B',
  signed,
  weight: share,
  head: (head) => `헤드 ${head}`,
  baseline: (head) => `${head} 원본`,
  changedHead: (head, change) => `${head}, ${change}`,
  headIn: (head, text) => `${head}, “${text}”에서`,
  aMore: 'A가 더 큼',
  mostDifferent: '가장 많이 다른 곳',
  bMore: 'B가 더 큼',
  correlation: (r) => (r === undefined ? '' : `r ${correlated(r)}`),
  elsewhere: (part) => (part === undefined ? '' : `가중치의 ${percent(part, 0)}를 옮겨야 같아집니다`),
  byDistance: (part) => `가중치의 ${percent(part, 0)}가 같은 거리에 있습니다`,
  noToken: '–',
  both: (one, other) => `${one} | ${other}`,
  token: (token, position) => `${token} ${integer(position)}`,
  label: (a, b, subtracted) =>
    `A: ${a}, B: ${b}${subtracted ? ', 그리고 둘의 차이' : ''}. 화살표로 칸을 옮기고, Home과 End는 행의 처음과 끝으로, Page 키는 열 행씩 움직입니다.`,
  cell: (query, m, key, n, a, b, difference) =>
    `쿼리 ‘${query}’ ${m}, 키 ‘${key}’ ${n}: A ${share(a)}, B ${b === undefined ? '그런 토큰 없음' : share(b)}${difference === undefined ? '' : `, A − B ${signed(difference)}`}`,
  loading: 'B를 불러오는 중…',
  show: '맵',

  with: 'B는',
  choices: {
    change: '바꾼 모델',
    head: '다른 헤드',
    text: '다른 텍스트',
    model: '다른 모델',
    scaling: '다른 RoPE 스케일링',
  },
  text: 'B의 텍스트',
  model: 'B의 모델',
  scaling: 'B의 RoPE 스케일링',
  preset: (name, factor) => `${name} × ${factor}`,
  weightsOf: (name, format) => `${name}, 가중치 ${format}`,
  ownModel: (name) => `${name}(내 모델)`,
  noModel: '열려 있는 다른 모델이 없습니다. ‘모델’에서 내 모델을 연 다음 이 모델을 다시 열면 됩니다.',
  modelGone: '이 링크의 모델은 여기에 없습니다. B는 다른 모델입니다.',
  clamped: (head, model) => `${model}: 층이나 헤드가 더 적습니다. B는 그 모델의 헤드 ${head}입니다.`,
  modelUnchanged: '변경은 A의 모델에만 적용됩니다.',
  failed: (why) => `B를 계산하지 못했습니다: ${why}`,
  otherLayer: 'B의 층',
  otherHead: 'B의 헤드',

  headOf: (head, model) => `${model}의 ${head}`,

  headline: {
    patterns: ({ a, b }, ofA, ofB) =>
      ofA === ofB
        ? `${a}, ${b}: 둘 다 ${looks[ofA]} 봅니다.`
        : `${a}: ${looks[ofA]} 봅니다. ${b}: ${looks[ofB]} 봅니다.`,
    pattern: (looking, other, pattern) => `${looking}: ${looks[pattern]} 봅니다. ${other}: 그렇지 않습니다.`,
    spread: ({ a, b }, elsewhere) => `${a}, ${b}: 가중치의 ${percent(elsewhere, 0)}를 서로 다른 토큰에 줍니다.`,
    distances: ({ a, b }, alike) =>
      alike === undefined
        ? `${a}, ${b}: 서로 다른 토큰을 읽습니다.`
        : `${a}, ${b}: 가중치의 ${percent(alike, 0)}를 같은 거리에 줍니다.`,
    bothTexts: (head, pattern) => `${head}: 두 텍스트에서 모두 ${looks[pattern]} 봅니다.`,
    texts: (head, ofA, ofB) => {
      if (ofA && ofB) return `${head}: A의 텍스트에서는 ${looks[ofA]}, B의 텍스트에서는 ${looks[ofB]} 봅니다.`
      return ofA
        ? `${head}: A의 텍스트에서는 ${looks[ofA]} 보지만, B의 텍스트에서는 그렇지 않습니다.`
        : `${head}: B의 텍스트에서는 ${looks[ofB ?? 'itself']} 보지만, A의 텍스트에서는 그렇지 않습니다.`
    },
    textsSpread: (head, alike, sameSource) =>
      alike === undefined
        ? `${head}: ${sameSource ? '두 텍스트가 함께 쓰는 원문에서' : '두 원문 모두에서'} 뚜렷한 패턴이 없습니다.`
        : `${head}: 두 텍스트에서 가중치의 ${percent(alike, 0)}를 같은 거리에 줍니다.`,
    rests: (head, change, most) =>
      most === 0
        ? `${change}: 헤드 ${head}의 가중치는 전혀 변하지 않습니다.`
        : `${change}: 헤드 ${head}의 어떤 가중치도 ${atMost(most)} 넘게 변하지 않습니다.`,
    keeps: (head, change, pattern) => `${change}: 헤드 ${head}에서는 여전히 ${looks[pattern]} 봅니다.`,
    loses: (head, change, pattern) => `${change}: 헤드 ${head}에서는 더는 ${looks[pattern]} 보지 않습니다.`,
    turns: (head, change, from, to) => `${change}: 헤드 ${head}에서는 ${looks[from]} 보다가 ${looks[to]} 봅니다.`,
    moves: (head, change, elsewhere) =>
      `${change}: 헤드 ${head}에서는 가중치의 ${percent(elsewhere, 0)}를 다른 토큰에 줍니다.`,
    line: ({ a, b }, pattern, ofA, ofB, elsewhere, r) => {
      const alike = r === undefined ? '' : ` 두 맵의 상관계수는 ${correlated(r)}입니다.`
      const moved =
        elsewhere === undefined ? '' : ` 같아지려면 가중치의 ${percent(elsewhere, 0)}를 옮겨야 합니다.${alike}`
      return `${target[pattern]}의 평균 가중치: ${a} ${percent(ofA, 0)}, ${b} ${percent(ofB, 0)}.${moved}`
    },
    textsCompared: {
      all: () => '두 텍스트가 같습니다.',
      places: (shared) => `둘 다 토큰이 ${integer(shared)}개이므로 위치별로 비교합니다.`,
      ends: (shared, tokens) =>
        `토큰 ${integer(tokens)}개 가운데 처음과 끝의 ${integer(shared)}개가 같습니다. 그것을 비교합니다.`,
      none: () => '같은 토큰이 너무 적어 칸마다 비교할 수 없습니다.',
    },
    modelsCompared: (shared) =>
      shared > 0
        ? `두 모델이 같은 토큰 ${integer(shared)}개를 읽습니다.`
        : '두 모델이 텍스트를 서로 다른 토큰으로 나누므로 토큰은 비교하지 않습니다.',
    byDistance: (alike) => `가중치의 ${percent(alike, 0)}를 같은 거리에 줍니다.`,
    baseline: '원래 모델',
    changed: '바꾼 모델',
  },

  table: (name) => `${name}(세로 쿼리, 가로 키)`,
  corner: '쿼리 \\ 키',
} satisfies Messages
