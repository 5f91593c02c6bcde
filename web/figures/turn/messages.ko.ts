import { decimal, integer, signedDecimal } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: '화살표 끝을 끌어 보라. 점선은 처음 방향이다. 곡선은 같은 쌍의 다른 모든 거리에서의 점수이다.',
  source: `논문(Su 외 2021, arXiv 2104.09864)의 식 12–14.`,
  queryAt: (position) => `쿼리 ${integer(position)}`,
  keyAt: (position) => `키 ${integer(position)}`,
  score: (score) => `점수 ${signedDecimal(score, 3)}`,
  norms: (query, key) => `돌려도 길이는 ${decimal(query, 3)}, ${decimal(key, 3)}`,
  angle: 'θ',
  degrees: (angle) => `${integer(angle)}°`,
  pairing: '쌍',
  pairings: { neighbours: '이웃', halves: '두 절반' },
  behind: '키가 앞서 나옴',
  ahead: '키가 나중에 나옴',
  dimension: (at) => `x${integer(at)}`,
  drawn: (who, length, angle) => `${who}: 길이 ${decimal(length, 2)}, ${integer(angle)}도`,
  table: '거리별 점수',
  columns: ['거리 (쿼리 − 키)', '점수'],
} satisfies Messages
