import { headStatistics } from '../../charts/head-grid/messages.ko'
import { integer, percent, significant } from '../../i18n/numbers'
import type { Messages } from './messages.en'
import { hasNoHover } from '../../ui/pointer'

const { statistics, value, named } = headStatistics

const units = { bits: '비트', tokens: '토큰', weight: '가중치의 비율', share: '−1에서 1' }

const place = ({ rank, from }: { rank: number; from: 'least' | 'most' }) => {
  const size = from === 'least' ? '작은 값' : '큰 값'
  return rank === 1 ? `가장 ${size}` : `${integer(rank)}번째로 ${size}`
}

type Amount = Parameters<Messages['headline']>[2]

/** In a sentence a weight is a part of all. */
const amount = ({ value: number, unit }: Pick<Amount, 'value' | 'unit'>) =>
  unit === 'weight' ? percent(number) : value(number, unit)

export default {
  get help(): string {
    return hasNoHover()
      ? '점 하나가 헤드 하나입니다. 길게 누르면 보이고, 탭하면 선택됩니다.'
      : '점 하나가 헤드 하나입니다. 가리키면 보이고, 클릭하면 선택됩니다.'
  },
  source:
    '특수 토큰이 아닌 모든 쿼리 토큰에 대해 헤드의 가중치를 평균한 것입니다. 퍼짐은 엔트로피 Σ −a log₂ a이고 단위는 비트입니다. 가중치가 모두 한 키에 있으면 0입니다. 거리는 Σ a·|m − n|입니다(Vig와 Belinkov 2019, arXiv 1906.04284). 인덕션은 쿼리의 단어가 앞서 나온 자리 바로 뒤 토큰의 가중치입니다(Olsson 외 2022, arXiv 2209.11895). R은 회전하기 전 헤드의 쿼리들이 평균 둘레에 모인 정도이고, r̄는 점수와 평균 쿼리와 평균 키로 예측한 점수의 상관계수입니다(TriAttention, arXiv 2604.04921). 헤드 하나의 값은 ‘거리’ 뷰에서 볼 수 있습니다. 비슷함은 특수 토큰이 아닌 토큰의 모든 쌍에서 두 맵의 상관계수입니다. 가까이 있는 두 헤드는 비슷한 곳을 보지만, 거기서 읽는 것은 다를 수 있습니다.',
  shade: (id, most, unit) => `색: ${statistics[id].brief}, ${value(most, unit)}까지`,
  tick: (number) => significant(number, 4),
  axes: { x: 'x', y: 'y', shade: '색' },
  from: '측정 대상',
  sources: { text: '이 텍스트', book: '책' },
  loading: '측정하는 중…',
  noStatistics: '이 텍스트에서는 헤드를 측정할 수 없습니다.',
  noBook: '이 모델에는 책에서 측정한 통계인 heads.json이 없습니다. ropescope heads로 만들 수 있습니다.',
  label: (heads) =>
    `점으로 나타낸 헤드 ${integer(heads)}개. 왼쪽, 오른쪽은 가로축을 따라, 위, 아래는 세로축을 따라 움직입니다.`,
  moved: (head, x, y) => `헤드 ${head}: ${x}, ${y}`,
  named,
  sortBy: (name) => `정렬하고 y축에 나타내기: ${name}`,
  sorted: (name, direction) => `정렬됨: ${name}, ${direction === 'ascending' ? '작은' : '큰'} 것부터`,
  sortedByHead: '헤드 순서로 정렬됨',
  column: (id, unit) => `${statistics[id].brief}, ${units[unit]}: ${statistics[id].name}`,
  columns: '열의 이름을 누르면 그 값으로 정렬되고 y축에 나타납니다.',
  headline: (head, heads, y, x, over) => ({
    title: `${statistics[y.statistic].name}: ${head}의 값은 헤드 ${integer(heads)}개 가운데 ${place(y)}입니다.`,
    line: `값은 ${amount(y)}입니다. ${statistics[x.statistic].name}: ${amount(x)}(${place(x)}). ${over} 측정했습니다.`,
  }),
  headlineEqual: (heads, over) => ({
    title: `여기서는 헤드 ${integer(heads)}개가 모두 같습니다.`,
    line: `${over}, 특수 토큰을 빼고 측정했습니다.`,
  }),
  similar: {
    title: (head) => `${head}의 맵과 비슷한 맵`,
    help: '이 텍스트에서 특수 토큰을 뺀 두 맵의 상관계수',
    start: (head) => `${head}의 맵과 비슷한 맵 찾기`,
    loading: (compared, all) => `비교하는 중… ${integer(all)}개 중 ${integer(compared)}개`,
    head: headStatistics.head,
    correlation: '상관계수',
    value: (correlation) => value(correlation, 'share'),
    tooLong: (tokens) => `비슷함, R, r̄는 토큰 ${integer(tokens)}개까지의 텍스트에서 계산합니다.`,
  },
  overText: (tokens) => `이 텍스트의 토큰 ${integer(tokens)}개에서`,
  overBook: (book) => `모델이 학습하지 않은 책 ${book}에서`,
} satisfies Messages
