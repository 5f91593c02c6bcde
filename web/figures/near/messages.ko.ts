import { decimal, integer, headName } from '../../i18n/numbers'
import { quote } from '../../i18n/rich'
import type { Messages } from './messages.en'

const short = (value: number) => decimal(value, 2)

export default {
  help: '논문의 상한, 코사인 합, q와 k 하나의 점수, 문맥 길이에 필요한 가장 작은 밑. 굵은 선이 눈금자의 RoPE입니다.',
  source: `논문(Su 외 2021, arXiv 2104.09864) 3.4.3절, 식 35–37, 그림 2. 상한은 |S|의 평균, 코사인은 개수로 나눈 것, 점수는 q·k입니다. 벡터는 시드로만 새로 뽑습니다. 가장 작은 밑은 0.1%씩 키워 갈 때 문맥 안에서 코사인 합이 음수가 되지 않는 첫 밑입니다(Men 외 2024, arXiv 2405.14591). 더 큰 밑에서 다시 음수가 될 수 있습니다.`,
  curve: '곡선',
  curves: { arrow: '바늘', bound: '상한', cosines: 'Σ cos', score: '점수', base: '가장 작은 밑' },
  up: { bound: '상대 상한', cosines: 'cos mθᵢ의 평균', score: 'q·k' },
  alike: '모든 쌍을 같은 속도로',
  aligned: '맞춘 거리',
  reach: '최대 거리',
  tokens: (tokens) => `토큰 ${integer(tokens)}개`,
  distance: '거리 (토큰)',
  rope: (size, base) => `d ${integer(size)}, 밑 ${integer(base)}`,
  ofModel: '헤드 자신의 것',
  crossing: (tokens) => `${integer(tokens)}에서 처음 음수`,
  noCrossing: (limit) => `${integer(limit)}까지 음수 없음`,
  context: '문맥 길이 (토큰)',
  base: '밑',
  leastBase: '가장 작은 밑',
  leastOf: (all) => `문맥 길이(토큰)마다 가장 작은 밑 – ${all.join('; ')}.`,
  seed: '새로 뽑기',
  finest: ({ f16, bf16, f32 }) =>
    `토큰 하나에 도는 양이 표의 반올림 한 번보다 작은 쌍 – f16: ${integer(f16)}개, bf16: ${integer(bf16)}개, f32: ${integer(f32)}개.`,
  label: '읽는 거리',
  value: (distance, values) => `거리 ${integer(distance)}: ${values}`,
  helpOfArrow:
    '쌍마다 바늘 하나. 똑바로 서서 시작해 거리만큼 돕니다. 초록 화살표는 그 평균입니다. 거리를 끌어 바꿉니다.',
  helpOfModel: ({ model, layer, head, query, key }) =>
    `${model}의 ${headName({ layer, head })}의 쌍. 쿼리는 ${quote(query.token)}, 키는 ${quote(key.token)}입니다. 길이는 |q||k|, 시작은 둘이 한자리에 있을 때의 각입니다. 초록 화살표는 그 평균입니다.`,
  hands: '바늘',
  handsOf: { alike: '모두 같게', model: headName },
  between: '토큰 간격',
  arrowLength: '화살표의 길이',
  onDial: (hands, distance) => `바늘 ${integer(hands)}개, 간격 ${integer(distance)}`,
  near: (angle) => `${integer(angle)}° 이내`,
  round: '한 바퀴 이상',
  ofHands: (hands) => `바늘 ${integer(hands)}개가 돈 만큼`,
  distanceOf: (distance) => `간격 ${integer(distance)}`,
  within: (near, hands, angle) => [`${integer(hands)}개 중 ${integer(near)}개가`, `${integer(angle)}° 이내`],
  three: '세 거리',
  arrow: ({ distance, length, along, near, round, hands, angle }) =>
    `간격 ${integer(distance)}: 화살표의 길이는 ${short(length)}, 위쪽 성분은 ${short(along)}이며 이것이 점수입니다. 바늘 ${integer(hands)}개 중 ${integer(near)}개가 ${integer(angle)}° 이내이고 ${integer(round)}개는 한 바퀴를 넘었습니다.`,
  table: '거리별',
} satisfies Messages
