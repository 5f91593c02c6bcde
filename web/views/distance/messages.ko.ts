import { distances } from '../../charts/head-grid/messages.ko'
import { compact, decimal, integer, significant, degrees, percent, weight } from '../../i18n/numbers'
import { key, query, sentence, strong } from '../../i18n/rich'
import type { Messages } from './messages.en'

const { where, brief, correlation, fraction } = distances

/** The angle of one step: that of a slow pair is small. */
function turn(radians: number): string {
  const angle = (radians * 180) / Math.PI
  return angle >= 0.95 ? degrees(radians) : `${significant(angle, 2)}°`
}

export default {
  help: '면: 측정한 평균 가중치. 선: 평균 쿼리와 평균 키로 예측한 가중치.',
  source:
    'TriAttention(2026, arXiv 2604.04921) 식 20–26을 RoFormer(arXiv 2104.09864)의 회전에 적용했습니다. 회전하기 전에는 많은 헤드의 쿼리와 키가 제 평균 가까이에 있으므로, 평균만으로 모든 거리의 점수를 얻습니다. 선은 그 점수의 소프트맥스입니다. R은 쿼리의 집중도이고, r̄는 쿼리 하나의 모든 키에 대해 예측한 점수와 실제 점수의 상관계수를 평균한 것입니다. 평균과 상관계수에서 특수 토큰은 뺍니다. 선호하는 거리가 있어도 헤드가 거기서 무엇을 읽는지는 알 수 없습니다.',
  correlation,
  at: (distance) => brief(distance),
  label: '쿼리에서의 거리와 주파수 쌍',
  loading: '예측하는 중…',
  linear:
    '선형 어텐션의 가중치는 점수의 소프트맥스가 아니므로 평균 쿼리와 평균 키로 예측할 수 없습니다. ‘모두 옮기기’ 뷰에서 소프트맥스 어텐션을 고르면 됩니다.',
  measured: (value) => `측정값 ${fraction(value)}`,
  predicted: (value) => `예측 ${fraction(value)}`,
  behind: distances.behind,
  ahead: distances.ahead,
  even: '점선: 균등한 가중치',
  tick: integer,
  ringTick: (tokens) => (tokens >= 10_000 ? compact(tokens, 2) : integer(tokens)),
  wants: (distance) => (Number.isNaN(distance) ? '돌지 않음' : Number.isFinite(distance) ? brief(distance, 1) : '–'),
  nextMatch: (distance, pair) => `${brief(distance)}: 다시 ${pair}번 쌍`,
  constancy: (value) => `R ${decimal(value, 2)}`,
  all: (length) => `거리 ${integer(length)}개 모두`,
  pair: '쌍',
  strength: '세기',
  strengthFilled: '세기(칠한 부분: 일정)',
  match: '맞는 거리',
  others: (pairs, most) => `그 밖에 ${integer(pairs)}개, 세기 ${decimal(most, 1)} 이하`,
  queries: '쿼리',
  allKeys: '키',
  back: '← 앞',
  forth: '뒤 →',
  why: (pair, theta, angle, wants) => {
    const begin = sentence`회전하기 전 모든 ${query('쿼리')}와 ${key('키')}의 ${strong(String(pair))}번 쌍: `
    if (Number.isNaN(wants)) return [...begin, ...sentence`돌지 않으며, 어느 거리에서나 몫이 같습니다.`]
    const match = Number.isFinite(wants)
      ? sentence`가장 잘 맞는 거리: ${strong(brief(wants, 1))}.`
      : sentence`너무 느려서 이 모델의 문맥 안에는 가장 잘 맞는 거리가 없습니다.`
    return [
      ...begin,
      ...sentence`토큰 하나마다 ${turn(theta)} 돌고, 키는 ${angle > 0 ? '왼쪽' : '오른쪽'}으로 ${degrees(Math.abs(angle))} 벌어져 있습니다. `,
      ...match,
    ]
  },
  headline: ({ head, queries, correlation, constancy, peak, predicted }) => {
    const over = `쿼리 ${integer(queries)}개에서 예측한 점수와 실제 점수의 상관계수는 r̄ = ${decimal(correlation, 2)}`
    if (correlation < 0.4) {
      return {
        title: `헤드 ${head}: 어디를 보는지 평균 쿼리와 평균 키로는 거의 예측할 수 없습니다.`,
        line: `${over}에 그칩니다. 회전하기 전 평균 쿼리의 길이는 쿼리들의 길이의 ${decimal(constancy, 2)}배입니다(R).`,
      }
    }
    const measured = `${where(peak.distance)}의 가중치는 측정값 ${percent(peak.measured)}, 예측 ${percent(peak.predicted)}입니다`
    if (Number.isNaN(correlation)) {
      return { title: `헤드 ${head}: 어디를 보는지 예측하기에는 토큰이 너무 적습니다.`, line: `${measured}.` }
    }
    const line = `${measured}. ${over}, R = ${decimal(constancy, 2)}입니다.`
    if (correlation < 0.8)
      return { title: `헤드 ${head}: 어디를 보는지 평균 쿼리와 평균 키가 일부를 예측합니다.`, line }
    const exactly = predicted.distance === peak.distance
    if (!exactly && peak.predicted < 0.8 * predicted.weight) {
      return {
        title: `헤드 ${head}: 평균 쿼리와 평균 키가 점수의 대부분을 예측하지만, 가장 많이 보는 곳은 맞히지 못합니다.`,
        line,
      }
    }
    const place = where(peak.distance)
    return {
      title: `헤드 ${head}: 어디를 보는지 평균 쿼리와 평균 키가 예측합니다. ${exactly ? place : `${place} 부근`}입니다.`,
      line,
    }
  },
  moved: (distance, token, measured, predicted) =>
    `키 ‘${token}’, ${where(distance)}: 평균하여 측정값 ${weight(measured)}, 예측 ${weight(predicted)}`,
  movedPair: (pair, strength, wants) =>
    `${pair}번 쌍: 세기 ${decimal(strength, 2)}, ${Number.isNaN(wants) ? '돌지 않음' : Number.isFinite(wants) ? `가장 잘 맞는 거리 ${brief(wants, 1)}` : '문맥 안에 맞는 거리 없음'}`,
  tables: {
    distances: '거리별',
    pairs: '주파수 쌍별',
    distance: ['토큰', '키', '측정값', '예측', '균등', '예측한 점수'],
    side: (distance) => (distance > 0 ? '앞' : distance < 0 ? '뒤' : '자신'),
    pair: ['쌍', 'θ', '세기 C', '쿼리의 R', '키의 R', 'φ', '가장 잘 맞는 거리, 앞쪽 토큰'],
  },
} satisfies Messages
