import { integer, atMost, difference, significant } from '../../i18n/numbers'
import type { Messages } from './messages.en'
import { hasNoHover } from '../../ui/pointer'

const largest = (head: string, place: string, weight: number) =>
  `가중치가 가장 많이 변한 곳은 헤드 ${head}의 ${place}이고, 변화는 ${difference(weight)}입니다.`

const drag = () => (hasNoHover() ? '손잡이를 끌면' : '손잡이를 끌거나 화살표 키를 누르면')

export default {
  help: '모든 위치에 같은 수를 더합니다. 바늘은 모두 돌지만 둘 사이의 각은 그대로입니다.',
  shiftedHelp: '바늘은 모두 돌지만 둘 사이의 각은 그대로입니다. 점선은 옮기기 전의 바늘입니다.',
  source:
    'RoFormer(Su 외 2021, arXiv 2104.09864) 식 16: 점수에는 두 위치의 차만 들어 있습니다. 남는 것은 각도, 곱, 합을 32비트 실수로 반올림한 오차입니다. 모든 헤드의 모든 가중치와 모든 토큰의 모든 로짓을 옮기지 않은 텍스트의 것과 비교하며, 이를 위해 따로 두 번 실행합니다. 학습하지 않은 거리를 모델이 어떻게 다루는지는 보이지 않습니다. 여기서는 거리가 모두 그대로입니다. 위치만큼 돌린 값은 RoFormer의 rotary_value이고, 돌렸다가 쿼리의 위치만큼 되돌린 것은 RoVE(arXiv 2606.11275)입니다. 둘 가운데 어느 것으로도 학습하지 않은 모델로는 그 방법이 얼마나 좋은지 알 수 없습니다.',
  offset: '모든 위치에 더한 수',
  offsetLabel: '모든 위치에 더하는 수',
  slider: (offset, weight) =>
    weight === undefined
      ? `${integer(offset)}만큼 더함`
      : `${integer(offset)}만큼 더함. 가중치의 가장 큰 변화는 ${difference(weight)}`,
  by: '옮기는 수',
  pair: (pair) => `${pair}번 쌍`,
  turns: (turns) => `${turns < 10 ? significant(turns, turns < 1 ? 2 : 3) : integer(Math.floor(turns))}바퀴`,
  between: (degrees) => `사이 ${degrees}`,
  weights: '가중치의 가장 큰 변화',
  logits: '로짓의 가장 큰 변화',
  values: '값',
  rotated: '위치만큼 돌림',
  rotatedHint: 'RoFormer의 rotary_value: 출력을 되돌리지 않습니다',
  rotatedOnly: 'rotary_value는 RoFormer의 것입니다. 이 모델에는 없습니다',
  rotatedAlready: '이 모델은 값을 스스로 돌립니다',
  rotatedBack: '돌렸다가 되돌림',
  rotatedBackHint: 'RoVE: 제 위치만큼 돌리고, 헤드의 출력을 쿼리의 위치만큼 되돌립니다',
  attention: {
    name: '어텐션',
    kinds: {
      softmax: '소프트맥스',
      linear: '선형(식 19)',
      linear_rotate_first: '선형, 먼저 회전',
    },
    hints: {
      softmax: '가중치는 점수의 소프트맥스입니다.',
      linear:
        '논문의 선형 어텐션: 쿼리와 키에 φ(x) = elu(x) + 1을 적용한 뒤 회전하고, 회전하지 않은 합으로 나눕니다. 가중치가 음수일 수 있고 합이 1이 아닙니다. 점수는 거리에만 달려 있습니다.',
      linear_rotate_first:
        '논문의 것이 아닌 흔한 변형: φ보다 먼저 회전합니다. 점수가 텍스트의 시작 위치에 달려 있으니, 모든 위치를 옮겨 보면 드러납니다.',
    },
  },
  largest: (head, place) => `가장 많이 변한 곳: 헤드 ${head}, ${place}`,
  rounding: '32비트 실수의 반올림 한 번',

  headline: {
    unshifted: '옮기지 않았습니다.',
    sample: (offset, weight) =>
      weight === 0
        ? `모든 위치를 ${integer(offset)}만큼 옮겨도 어떤 가중치도 변하지 않습니다.`
        : `모든 위치를 ${integer(offset)}만큼 옮겨도 어떤 가중치도 ${atMost(weight)}보다 많이 변하지 않습니다.`,
    unshiftedLine: {
      get unrotated(): string {
        return `${drag()} 모든 토큰이 그만큼 옮겨집니다.`
      },
      get rotated(): string {
        return `값을 위치만큼 돌렸습니다. ${drag()} 무엇이 깨지는지 볼 수 있습니다.`
      },
      get rotatedBack(): string {
        return `값을 돌렸다가 되돌렸습니다. ${drag()} 가중치가 다시 그대로인 것을 볼 수 있습니다.`
      },
    },
    shifted: (change) => `${change}.`,
    loading: '모든 헤드의 모든 가중치와 모든 로짓을 옮기지 않은 텍스트의 것과 비교하는 중…',
    failed: (why) => `가중치와 로짓의 변화를 측정하지 못했습니다: ${why}`,
    invariant: (change, weight) =>
      weight === 0
        ? `${change}: 어떤 가중치도 전혀 변하지 않습니다.`
        : `${change}: 어떤 가중치도 ${atMost(weight)}보다 많이 변하지 않습니다.`,
    invariantLine: (weights, heads, logit, values) => {
      const why = {
        unrotated: '점수는 거리에만 달려 있고, 남는 것은 반올림 오차입니다.',
        rotated: '값을 위치만큼 돌렸는데도 반올림 오차만 남습니다.',
        rotatedBack: '값을 제 위치만큼 돌리고 쿼리의 위치만큼 되돌리므로 거리만 남습니다.',
      }
      return `헤드 ${integer(heads)}개의 가중치 ${integer(weights)}개를 모두 비교했고, 어떤 로짓도 ${atMost(logit)}보다 많이 변하지 않습니다. ${why[values]}`
    },
    moves: (change, weight, logit) =>
      `${change}: 가중치는 ${difference(weight)}, 로짓은 ${difference(logit)}까지 변합니다.`,
    movesLine: (head, place, weight) =>
      `반올림 오차보다 큰 변화입니다. 이 모델의 무언가가 거리만이 아니라 위치에도 달려 있습니다. ${largest(head, place, weight)}`,
    rotatedLine: (head, place, weight) =>
      `값을 위치만큼 돌리고 되돌리지 않으므로 헤드의 출력이 위치에 달려 있고, 뒤의 모든 층이 그것을 읽습니다. ${largest(head, place, weight)}`,
  },

  table: '더해 본 수',
  columns: ['더한 수', '가중치의 가장 큰 변화', '층', '헤드', '쿼리', '키', '로짓의 가장 큰 변화'],
} satisfies Messages
