import type { Messages } from './errata.en'
import { sentence, stressed, sub, sup, variable } from '../../i18n/rich'

const m = variable('mθ')
const n = variable('nθ')
const half = sub('d/2')

const errata: Messages = {
  title: 'RoPE에 대한 흔한 오해',
  items: [
    [
      'sign',
      {
        claim: sentence`“회전 행렬의 음의 부호는 대각선 아래에 있습니다.”`,
        right: sentence`그러면 거꾸로 돕니다. 위치 ${variable('m')}은 쌍을 ${variable('+mθ')}만큼 돌립니다:`,
      },
    ],
    [
      'periodic',
      {
        claim: sentence`“θ는 주기 함수입니다.”`,
        right: sentence`각 ${variable('θᵢ')}는 상수이고, 함께 보면 줄어드는 등비수열 10000${sup('−2i/d')}입니다. 주기가 있는 것은 ${variable('mθᵢ')}의 코사인과 사인이며, 주기는 가장 빠른 쌍이 위치 6.3개, 가장 느린 쌍이 수만 개입니다.`,
      },
    ],
    [
      'product',
      {
        claim: sentence`“두 회전의 곱에는 cos ${m} cos ${n} − sin ${m} sin ${n}이 들어 있습니다.”`,
        right: sentence`뺄셈이면 위치의 ${stressed('합')}의 코사인이 되어 상대적인 것이 남지 않습니다. 전치한 회전이 부호를 바꿉니다:`,
      },
    ],
    [
      'score',
      {
        claim: sentence`“점수는 xᵀ W R W x입니다.”`,
        right: sentence`전치 둘과 위치 둘을 빠뜨리기 쉽습니다. 모두 쓰면:`,
      },
    ],
    [
      'fast',
      {
        claim: sentence`“빠른 꼴은 −x${sub('d−1')}, x${sub('d')}로 끝납니다.”`,
        right: sentence`사인을 곱하는 벡터는 쌍마다 자리를 바꾸고 첫 성분의 부호를 뒤집습니다. −x${sub('2')}, x${sub('1')}로 시작해 −x${sub('d')}, x${sub('d−1')}로 끝납니다.`,
      },
    ],
    [
      'added',
      {
        claim: sentence`“RoPE는 임베딩에 더합니다.”`,
        right: sentence`아무것도 더하지 않습니다. RoFormer의 임베딩은 위치를 모릅니다. 층마다 각 헤드의 쿼리와 키를 돌리고, 값은 (기본 설정에서) 돌리지 않습니다. 그래서 모든 위치를 똑같이 옮겨도 어텐션 가중치는 변하지 않습니다.`,
      },
    ],
    [
      'halves',
      {
        claim: sentence`“쌍은 (x₀, x${half}), (x₁, x${sub('d/2+1')}), …입니다.”`,
        right: sentence`Llama와 GPT-NeoX에서는 그렇습니다. RoFormer는 이웃 (x₀, x₁), (x₂, x₃), …을 돌립니다. 둘 다 상대적인 점수를 줍니다. 쿼리와 키의 행을 그 순서로 옮기면 한쪽의 가중치를 다른 쪽에서 쓸 수 있고, 이 페이지는 읽을 때 그렇게 합니다. 여기서 쌍은 언제나 이웃한 둘입니다.`,
      },
    ],
    [
      'decay',
      {
        claim: sentence`“RoPE는 거리에 따라 어텐션을 줄입니다.”`,
        right: sentence`논문이 보인 것은 상한의 한 인수가 줄어든다는 것이며, 그것도 고르게 줄지는 않습니다. 그림에 그려진 것은`,
        after: sentence`점수 자체는 쿼리와 키에도 달려 있습니다. 헤드는 원하는 거리에서 가장 높은 점수를 가질 수 있고, 여기의 첫 예문에서는 정확히 1입니다. 무작위 쿼리와 키에는 감소가 전혀 없습니다.`,
      },
    ],
    [
      'linear',
      {
        claim: sentence`“선형 어텐션에서는 먼저 돌리고 특징 함수를 적용합니다.”`,
        right: sentence`반대입니다. 회전은 특징 함수 뒤에 오고 분모는 돌리지 않습니다. 먼저 돌리면 점수가 다시 절대 위치에 달리게 됩니다.`,
      },
    ],
    [
      'precision',
      {
        claim: sentence`“cos과 sin은 어디서 계산해도 됩니다.”`,
        right: sentence`각은 수천 라디안까지 커집니다. 반정밀도의 표는 더는 회전이 아니고, 셰이더 언어는 큰 각을 거의 보장하지 않습니다. 여기서는 CPU에서 배정밀도로 계산해 한 번만 반올림합니다.`,
      },
    ],
    [
      'neo',
      {
        claim: sentence`“GPT-Neo는 RoPE를 씁니다.”`,
        right: sentence`쓰는 것은 GPT-J와 GPT-NeoX입니다. GPT-Neo는 절대 위치마다 벡터를 학습했습니다.`,
      },
    ],
  ],
}

export default errata
