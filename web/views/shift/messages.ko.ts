import { difference } from '../../i18n/format'
import { decimal, integer } from '../../i18n/numbers'
import { en, type Messages } from './messages.en'

export default {
  // The headline begins with the change, which is named in English.
  ...en,
  help: '모든 위치에 같은 수를 더한다. 바늘은 모두 돌지만 둘 사이의 각은, 그래서 모든 가중치는 그대로이다.',
  source:
    'RoFormer(Su 외 2021, arXiv 2104.09864) 식 16: 점수에는 두 위치의 차만 들어 있다. 남는 것은 각도, 곱, 합을 32비트 실수로 반올림한 오차이다. 모든 헤드의 모든 가중치와 모든 토큰의 모든 로짓을 제자리에 있는 같은 글의 것과, 보이는 실행 곁의 두 실행에서 비교한다. 한 번도 보지 못한 거리를 모델이 어떻게 다루는지는 보이지 않는다. 여기서는 거리가 모두 그대로이다. 위치만큼 돌린 값은 RoFormer의 rotary_value이고, 돌렸다가 쿼리의 위치만큼 되돌린 것은 RoVE(arXiv 2606.11275)이다. 그렇게 학습하지 않은 모델의 예측에 이것이 하는 일은 그 방법의 잣대가 아니다.',
  offset: '모든 위치에 더한 수',
  offsetLabel: '모든 위치에 더하는 수',
  slider: (offset, weight) =>
    weight === undefined
      ? `${integer(offset)}을 더함`
      : `${integer(offset)}을 더함. 가중치의 가장 큰 변화는 ${difference(weight)}`,
  by: '옮기는 수',
  pair: (pair) => `${pair}번 쌍`,
  turns: (turns) => `${turns < 10 ? decimal(turns, 2) : integer(Math.floor(turns))}바퀴`,
  between: (degrees) => `사이 ${degrees}`,
  weights: '가중치의 가장 큰 변화',
  logits: '로짓의 가장 큰 변화',
  values: '값',
  rotated: '위치만큼 돌림',
  rotatedHint: 'RoFormer의 rotary_value: 되돌리지 않는다',
  rotatedOnly: 'rotary_value는 RoFormer의 것이다. 이 모델에는 없다',
  rotatedAlready: '이 모델은 값을 스스로 돌린다',
  rotatedBack: '돌렸다가 되돌림',
  rotatedBackHint: 'RoVE: 제 위치만큼 돌리고, 헤드가 내놓은 것을 쿼리의 위치만큼 되돌린다',
  largest: (head, place) => `가장 많이 변한 곳: 헤드 ${head}, ${place}`,
  rounding: '32비트 실수의 반올림 한 번',
  table: '더해 본 수',
  columns: ['더한 수', '가중치의 가장 큰 변화', '층', '헤드', '쿼리', '키', '로짓의 가장 큰 변화'],
} satisfies Messages
