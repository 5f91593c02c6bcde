import { compact, decimal, integer, percent } from '../../i18n/numbers'
import type { Messages } from './messages.en'

/** Where the key is, by query − key. */
function where(distance: number): string {
  if (distance === 0) return '쿼리 자리'
  return `${integer(Math.abs(distance))}토큰 ${distance > 0 ? '앞' : '뒤'}`
}

function short(distance: number): string {
  if (distance === 0) return '같은 자리'
  return `${integer(Math.abs(distance))} ${distance > 0 ? '앞' : '뒤'}`
}

/** The same in few letters: "1 앞", "1.2만 뒤". */
function brief(distance: number, digits = 0): string {
  const away = Math.abs(distance)
  if (away < 0.5 / 10 ** digits) return digits === 0 ? '자신' : decimal(0, digits)
  const written = away >= 9999.5 ? compact(away, 2) : away >= 9.95 ? integer(away) : decimal(away, digits)
  return `${written} ${distance > 0 ? '앞' : '뒤'}`
}

export const distances: Messages['distances'] = {
  where,
  short,
  brief,
  fraction: (value) => decimal(value, value < 0.0995 ? 3 : 2),
  correlation: (value) => `r̄ ${Number.isNaN(value) ? '–' : decimal(value, 2)}`,
  behind: '← 앞쪽 키, 토큰',
  ahead: '뒤쪽 키, 토큰 →',
  shortBehind: '← 앞',
  shortAhead: '뒤 →',
}

const statistics: Messages['statistics']['statistics'] = {
  entropy: { name: '가중치의 퍼짐', brief: '퍼짐' },
  distance: { name: '평균 거리', brief: '거리' },
  largest: { name: '가장 큰 가중치', brief: '최대' },
  previous: { name: '바로 앞 토큰의 가중치', brief: '앞 토큰' },
  next: { name: '바로 뒤 토큰의 가중치', brief: '뒤 토큰' },
  same: { name: '자기 자신의 가중치', brief: '자신' },
  first: { name: '첫 토큰의 가중치', brief: '첫 토큰' },
  repeated: { name: '다른 자리에 있는 같은 단어의 가중치', brief: '같은 단어' },
  induction: { name: '같은 단어가 앞서 나온 자리의 바로 뒤 토큰의 가중치(인덕션)', brief: '인덕션' },
  special: { name: '특수 토큰의 가중치', brief: '특수' },
  concentration: { name: '쿼리의 집중도 R', brief: 'R' },
  correlation: { name: '점수와 예측한 점수의 상관계수 r̄', brief: 'r̄' },
}

const value: Messages['statistics']['value'] = (number, unit) => {
  if (unit === 'weight' || unit === 'share') return decimal(number, Math.abs(number) < 0.0995 ? 3 : 2)
  return `${decimal(number, 1)}${unit === 'bits' ? '비트' : '토큰'}`
}

export const headStatistics: Messages['statistics'] = {
  statistics,
  value,
  named: (id, number, unit) => `${statistics[id].name} ${value(number, unit)}`,
  axis: (id, unit) =>
    unit === 'weight' || unit === 'share'
      ? statistics[id].name
      : `${statistics[id].name}, ${unit === 'bits' ? '비트' : '토큰'}`,
  table: '모든 헤드',
  head: '헤드',
}

export default {
  title: '모든 헤드',
  help: {
    maps: '세로는 층, 가로는 헤드. 하나하나가 이 텍스트의 맵입니다.',
    distance: '면: 거리마다 측정한 평균 가중치. 선: 평균 쿼리와 평균 키로 예측한 것.',
    pairs: '헤드가 쓰는 주파수 쌍, E‖q‖·E‖k‖. 왼쪽이 가장 빠른 0번 쌍입니다.',
  },
  source: {
    maps: '맵은 이 텍스트에서 헤드가 주는 가중치입니다. 토큰이 픽셀보다 많으면 가장 큰 값을 남기므로 가는 선도 남습니다. 숫자는 특수 토큰이 아닌 모든 쿼리의 평균입니다. 헤드가 어디를 보는지는 거기서 무엇을 읽는지를 말하지 않습니다.',
    distance:
      '그 거리에 키가 있는 모든 쿼리의 평균 가중치와, 평균 쿼리와 평균 키로 예측한 것(TriAttention, 2026, arXiv 2604.04921). 헤드 하나는 ‘거리’ 뷰가 보여 줍니다. 눈금은 가중치의 제곱근입니다.',
    pairs:
      '회전하기 전 주파수 쌍마다 평균 쿼리의 길이와 평균 키의 길이를 곱한 것(TriAttention, 2026, arXiv 2604.04921). 색은 세기의 제곱근을 따르며 모든 헤드의 척도가 같습니다. 강한 쌍은 점수에 중요하지만, 어느 거리에서 그런지는 말하지 않습니다.',
  },
  keys: {
    across: '왼쪽, 오른쪽 헤드로',
    along: '위, 아래 층으로',
    ends: '층의 첫 헤드, 마지막 헤드',
  },
  tables: { measured: '평균 가중치, 측정값', predicted: '평균 가중치, 예측' },
  pair: (pair) => `${pair}번 쌍`,
  headByDistance: (correlation, distance, weighs) =>
    `${where(distance)}에 가중치 ${percent(weighs)}, ${distances.correlation(correlation)}`,
  headPairs: (pair, part) => `가장 강한 쌍은 ${integer(pair)}번, 전체의 ${decimal(part, 2)}`,
  show: '헤드마다 보일 것',
  shows: { maps: '맵', distance: '거리', pairs: '쌍' },
  by: '기준',
  byTitle: '층마다 헤드를 표시하고 정렬하는 기준',
  byHead: '번호',
  sorted: '정렬',
  most: '큰 순',
  least: '작은 순',
  rank: (rank) => `층에서 ${integer(rank)}번째`,
  walking: '모든 헤드를 읽는 중…',
  painting: (left) => `그리는 중: 맵 ${integer(left)}개 남음…`,
  walkTooLong: (tokens) => `토큰 ${integer(tokens)}개까지의 텍스트에서 계산합니다.`,
  label: (layers, heads) =>
    `${integer(layers)}층 × 헤드 ${integer(heads)}개의 모든 어텐션 맵. 화살표로 하나를 고르고, Shift를 누른 채 클릭하면 비교할 헤드를 고릅니다.`,
  corner: '층',
  layer: (layer) => `${layer}층`,
  head: (head) => `${head}번 헤드`,
  place: (layer, head) => `${layer}층 ${head}번 헤드`,
  width: '격자의 너비',
  widths: { narrow: '좁음', auto: '보통', wide: '넓음' },
  unfold: '모든 헤드의 격자 열기',
  fold: '모든 헤드의 격자 닫기',
  narrower: (now) => `격자 좁히기: 지금은 ${now}`,
  wider: (now) => `격자 넓히기: 지금은 ${now}`,
  compareHeads: (one, other) => `${one}, ${other} 비교 →`,
  compared: 'B',
  headWord: '헤드',
  tab: '헤드',
  again: '다시 시도',
  distances,
  statistics: headStatistics,
} satisfies Messages
