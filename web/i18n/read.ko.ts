// Read in Korean.
import type { ReadWords } from './read.en'
import { beyond, byDistance, deep, facts, guesses, mutedPairs, otherScaling, set, trained, training } from './facts'
import { decimal, integer } from './numbers'
import { code, key, link, query, sentence, sub, variable } from './rich'

const i = variable('i')
const paper = 'Su 외 2021, arXiv 2104.09864'

const chapters: ReadWords['chapters'] = () => ({
  1: {
    name: '누가 어디에 서 있는가?',
    topic: '순서',
    question: '단어 자체는 알려 주지 않고 위치가 알려 주는 것은 무엇인가?',
    text: [
      sentence`다섯 사람이 창구 앞에 줄을 서 있습니다. 그중 한 사람을 눈에 보이는 대로 “빨간 코트를 입은 사람”이라 부를 수도 있고, 번호로 “세 번째 사람”이라 부를 수도 있고, 이웃으로 “여행 가방을 든 사람의 뒷사람”이라 부를 수도 있습니다. 첫 번째 이름에는 위치가 전혀 없습니다. 두 번째 이름은 한 사람이 일을 마치는 순간 모두에게 틀린 이름이 됩니다. 세 번째 이름은 줄이 어디로 움직여도 맞습니다.`,
      sentence`단어도 이 세 가지로 부를 수 있습니다. 한 문장에서 “deep”과 “learning”은 토큰 ${integer(deep.near)}개, 다른 문장에서는 ${integer(deep.far)}개 떨어져 있습니다. 같은 두 단어이지만 함께 뜻하는 바가 다릅니다. 둘이 얼마나 떨어져 있는지는 중요하고, 문장이 몇 번째 토큰에서 시작하는지는 거의 중요하지 않습니다. 절대 위치는 둘 다 알려 주어 어느 것이 중요한지 모델이 배워야 하고, 상대 위치는 앞의 것만 알려 줍니다.`,
    ],
    guess: {
      question: '맨 앞사람이 일을 마치고 떠납니다. 어떤 이름이 여전히 맞을까요?',
      answers: ['“세 번째”와 “여행 가방 뒤”', '“빨간 코트”만', '“빨간 코트”와 “여행 가방 뒤”'],
      because: '눈에 보이는 것과 누가 누구 뒤에 있는지는 그대로이고, 번호는 모두 바뀝니다.',
    },
    tries: ['줄을 한 칸 움직이기', '모델에 “deep learning”', '모델에 “deep ocean … learning”'],
    not: sentence`모델이 거리를 어떻게 배우는지, 정말로 쓰는지는 보이지 않습니다. 줄 아래의 가중치는 불러온 모델의 헤드 하나의 것이며, 다른 헤드는 다른 일을 합니다.`,
    sources: sentence`두 문장은 He 외 2020(DeBERTa, arXiv 2006.03654) 1절의 관찰을 따릅니다. 절대 위치와 상대 위치의 구분은 논문(${paper}) 2절을 따릅니다.`,
  },
  2: {
    name: '손으로 계산하는 어텐션',
    topic: '순열',
    question: '어텐션은 순서에 대해 무엇을 아는가?',
    text: [
      sentence`토큰마다 벡터가 세 개 있습니다. ${query('쿼리')}는 찾는 것, ${key('키')}는 찾게 해 주는 것, 값(value)은 건네주는 것입니다. 한 토큰의 쿼리와 다른 토큰의 키를 내적하면 점수가 됩니다. 이것을 √${variable('d')}로 나누는 까닭은 긴 벡터의 내적이 넓게 퍼지기 때문입니다. 숫자 ${variable('d')}개인 무작위 벡터라면 √${variable('d')}만큼 퍼집니다. 소프트맥스는 점수 한 행을 합이 1인 가중치로 바꾸고, 토큰은 값을 그 비율대로 받습니다.`,
      sentence`마스크는 키를 제외합니다. 패딩 마스크는 모든 행에서 같은 열을, 인과 마스크는 뒤에 오는 것을 모두 제외하고, 인코더와 디코더 사이에서는 인코더의 패딩만 제외합니다. 이제 두 토큰을 맞바꿔 봅시다. 행과 열의 자리가 바뀔 뿐, 각 토큰이 받는 것은 그대로입니다. 마스크가 없으면 어텐션은 순서를 모릅니다. 그래서 위치가 필요합니다.`,
    ],
    guess: {
      question: '마스크 없이 두 토큰의 자리를 바꿉니다. 세 번째 토큰이 받는 것은 무엇일까요?',
      answers: ['전과 똑같습니다', '값은 같고 가중치가 다릅니다', '전혀 다릅니다'],
      because:
        '점수는 자리가 아니라 토큰에 속합니다. 인과 마스크는 순서를 조금 알려 줍니다. 마지막 토큰이 첫 토큰보다 많이 봅니다.',
    },
    tries: ['처음 두 토큰 맞바꾸기', '뒤에 오는 것 가리기', '√d로 나누지 않기'],
    not: sentence`임베딩 하나에서 쿼리, 키, 값을 만드는 세 행렬, 나란히 있는 여러 헤드, 쌓아 올린 층은 보이지 않습니다.`,
    sources: sentence`Vaswani 외 2017(arXiv 1706.03762) 식 1, 3.2.1절과 3.2.3절, 논문(${paper})의 식 2. Vaswani 외는 가린 점수를 −∞로 두지만 여기서는 transformers처럼 큰 음수를 더합니다. 그래서 키가 하나도 남지 않은 행은 정의되지 않는 것이 아니라 모두 같은 가중치가 됩니다.`,
  },
  3: {
    name: '위치를 더할까?',
    topic: '절대 위치',
    question: '위치를 더하면 벡터는 어떻게 되는가?',
    text: [
      sentence`초기의 트랜스포머는 임베딩마다 벡터 하나를 더합니다. 위치의 사인과 코사인을 차원 쌍마다 다른 속도로 계산한 벡터이거나, 위치마다 학습한 벡터입니다. 사인파 위치 벡터는 길이가 모두 같고(${integer(facts.headSize)}차원에서 ${decimal(facts.placeNorm, 2)}), 둘의 내적은 거리에만 달려 있습니다. 바로 6장의 코사인 합입니다.`,
      sentence`그러나 더하면 섞입니다. 합은 위치마다 길이와 방향이 달라지고, 점수는 내용과 내용, 내용과 위치, 위치와 내용, 위치와 위치의 네 항이 됩니다. 학습한 표는 마지막 행에서 끝납니다. 그림의 표는 학습을 거쳐 나름의 물결 모양이 되었습니다. 도움이 되는 것은 공간입니다. 차원이 많으면 무작위 벡터 둘은 거의 직각입니다. 코사인은 0에 몰리며 ${integer(facts.headSize)}차원에서 그 표준편차는 ${decimal(facts.spread, 3)}입니다. 그래서 더해도 대부분의 방향으로는 거의 변하지 않습니다.`,
    ],
    guess: {
      question: '무작위 벡터 둘을 뽑습니다. 몇 차원에서 직각에 가장 가까울까요?',
      answers: guesses.dimensions.map((count) => integer(count)),
      because: '코사인의 표준편차는 차원 수의 제곱근의 역수입니다.',
    },
    tries: ['모델이 학습한 표', `밑 ${integer(set.base)}`, `헤드 크기 ${integer(set.largeHead)}`],
    not: sentence`학습된 모델이 이 때문에 나빠지는지는 보이지 않습니다. 위치를 더하고도 잘 읽는 모델이 많습니다. 위치를 더하는 벡터는 무작위로 뽑은 것이며 모델의 임베딩이 아닙니다.`,
    sources: sentence`논문(${paper})의 식 3, 4, 6, Vaswani 외 2017(arXiv 1706.03762) 3.5절. 사인파의 주기는 차원에 따라 정해지며 위치가 커진다고 길어지지 않습니다. 학습한 표: sentence-transformers/all-MiniLM-L6-v2.`,
  },
  4: {
    name: '더하지 말고 돌리기',
    topic: '회전, mθ와 nθ',
    question: '토큰마다 위치만큼 돌리면 무엇이 그대로인가?',
    text: [
      sentence`${query('쿼리')}의 숫자 두 개를 화살표로 보고 ${variable('mθ')}만큼 돌립니다. ${variable('m')}은 위치입니다. ${key('키')}의 화살표는 ${variable('nθ')}만큼 돌립니다. 둘의 내적은 두 길이에 사잇각의 코사인을 곱한 것이고, 회전은 그 각을 (${variable('m')} − ${variable('n')})${variable('θ')}만큼 바꿉니다. 남는 것은 거리뿐입니다. 둘을 함께 옮기면 아무것도 변하지 않고, 하나만 옮기면 점수가 변합니다.`,
      sentence`부호도 중요합니다. θ = 30°, q = (1, 0), k = (0.7, 0.7)일 때 키가 쿼리보다 토큰 두 개 뒤에 있으면 점수는 ${decimal(facts.score.ahead, 2)}, 두 개 앞에 있으면 ${decimal(facts.score.behind, 2)}입니다. 더하는 것이 없으므로 쌍 하나하나도, 벡터 전체도 길이가 그대로입니다.`,
      sentence`어느 두 숫자가 쌍인지는 약속입니다. RoFormer는 이웃한 둘을, Llama와 GPT-NeoX는 앞 절반과 뒤 절반의 ${i}번째를 쌍으로 묶습니다. 각은 같습니다. 한 약속으로 학습한 가중치는 행의 순서를 바꾸기 전에는 다른 약속에서 쓸 수 없습니다.`,
    ],
    guess: {
      question: 'm과 n을 맞바꿉니다. 점수는 같을까요?',
      answers: ['그렇습니다. 거리가 같습니다', '대개 아닙니다. 거리의 부호가 중요합니다'],
      because: '두 화살표가 처음에 한 직선에 있거나 회전이 제자리로 돌아올 때만 같습니다.',
    },
    tries: [
      `m = ${integer(set.near.query)}, n = ${integer(set.near.key)}`,
      `m = ${integer(set.near.key)}, n = ${integer(set.near.query)}`,
      '돌릴 때와 더할 때의 길이',
    ],
    not: sentence`헤드 전체는 보이지 않습니다. 헤드에는 저마다 속도가 다른 이런 쌍이 많습니다(5장).`,
    sources: sentence`논문(${paper})의 식 11–16과 34. 절반끼리 묶는 것은 transformers의 Llama와 GPT-NeoX에 있는 rotate_half.`,
  },
  5: {
    name: '여러 속도',
    topic: '주파수, θᵢ',
    question: '왜 쌍마다 제 속도로 도는가?',
    text: [
      sentence`${query('쿼리')}나 ${key('키')}를 쌍으로 나누면 쌍 하나하나가 시곗바늘입니다. 크기 ${integer(facts.headSize)}인 헤드에서 0번 쌍은 토큰마다 1라디안씩 돌아 토큰 ${decimal(facts.first, 1)}개면 한 바퀴를 돕니다. 다음 쌍은 매번 ${decimal(facts.slower, 2)}배 느리고, ${integer(facts.pairs)}개 가운데 마지막 쌍은 토큰 ${integer(facts.last)}개가 걸립니다.`,
      sentence`빠른 바늘은 이웃을 구별하지만 곧 전에 있던 자리로 돌아옵니다. 느린 바늘은 늦게야 돌아오거나 돌아오지 않지만 토큰 하나에 거의 움직이지 않습니다. 그래서 바늘 하나가 홀로 거리를 알려 주는 것은 이미 움직였고 아직 한 바퀴를 돌지 않은 동안뿐입니다. 그림에서는 줄무늬 띠가 그것입니다. 그 왼쪽의 바늘은 멈춰 있고 오른쪽의 바늘은 너무 많이 돌았습니다.`,
      sentence`토큰 ${integer(facts.context)}개를 읽는 모델은 어떤 바늘은 한 바퀴 전체에서, 어떤 바늘은 첫 바퀴의 처음 부분에서만 보았습니다. 8장이 그 이야기입니다.`,
    ],
    guess: {
      question: `바늘 ${integer(facts.pairs)}개 가운데 토큰 ${integer(facts.context)}개 안에 한 바퀴를 도는 것은 몇 개일까요?`,
      answers: guesses.parts.map((part) => integer((facts.pairs * part) / guesses.parts.length)),
      because: '파장은 쌍마다 같은 배수로 길어집니다. 로그 축에서는 고르게 늘어섭니다.',
    },
    tries: [`토큰 ${integer(set.farDistance)}개 간격`, '토큰 하나 간격', `밑 ${integer(set.largerBase)}`],
    not: sentence`모델에 그 바늘이 필요한지는 보이지 않습니다. ${link('탐색기에서 바늘을 멈추거나 빼 보면', mutedPairs)} 그 대가를 손실이 말해 줍니다.`,
    sources: sentence`논문(${paper})의 식 15와 3.3절: θ${sub('i')}는 ${variable('b')}의 −2${i}/${variable('d')} 제곱이고 ${i}는 0부터입니다. 논문에서는 ${variable('b')} = 10,000.`,
  },
  6: {
    name: '가까이와 멀리',
    topic: '장거리 감쇠',
    question: '점수는 거리에 따라 줄어드는가?',
    text: [
      sentence`쌍 하나하나가 거리만큼 도는 바늘입니다. 이웃 사이에서는 바늘들이 한쪽을 가리켜 점수의 몫이 더해집니다. 멀어지면 서로 다른 쪽을 가리켜 몫이 상쇄됩니다. 이것이 논문이 말하는 감쇠이며, 규칙이 아니라 상한입니다.`,
      sentence`논문이 증명한 것은 상한입니다. 점수는 내용에서 오는 계수 max |h${sub('i+1')} − h${sub('i')}|와 거리에만 달린 합의 곱을 넘지 않습니다. 그림 2는 그 합의 평균입니다. ${variable('d')} = 128에서 ${decimal(facts.bound.at0, 1)}로 시작하고(인쇄된 그림은 여기서 잘려 있습니다) 거리 ${integer(facts.bound.lowestAt)}에서 ${decimal(facts.bound.lowest, 2)}까지 내려간 뒤 물결칩니다.`,
      sentence`그것은 상한이지 점수가 아닙니다. q와 k가 모든 쌍에서 같으면 점수는 cos ${variable('mθᵢ')}의 합입니다. 이것도 줄어들며, ${variable('d')} = 64이면 거리 ${integer(facts.crossing.d64)}, 128이면 ${integer(facts.crossing.d128)}, 밑이 ${integer(facts.crossing.larger)}이면 각각 ${integer(facts.crossing.d64Base500k)}, ${integer(facts.crossing.d128Base500k)}에서 처음 음수가 됩니다. 텍스트가 길수록 음수가 되지 않게 하는 밑이 커집니다. 무작위 q와 k의 점수는 줄지 않습니다. 그 표준편차는 어느 거리에서나 같습니다. 그리고 쿼리를 어떤 거리만큼 돌려 놓은 키는 바로 그 거리에서 점수가 가장 높습니다.`,
    ],
    guess: {
      question: `q와 k를 무작위로 뽑습니다. 토큰 ${integer(guesses.distance.near)}개 간격에 견주어 ${integer(guesses.distance.far)}개 간격의 점수는 얼마나 클까요?`,
      answers: ['상한처럼 훨씬 작습니다', '거의 같습니다'],
      because: '무작위 벡터를 돌리면 또 다른 무작위 벡터가 됩니다. 내려간 것은 그 위의 상한뿐입니다.',
    },
    tries: ['모든 쌍을 같은 속도로', `토큰 ${integer(set.aligned)}개에 맞추기`, '가장 작은 밑'],
    not: sentence`학습된 헤드가 무엇을 하는지는 보이지 않습니다. ${link('탐색기가 그것을 측정합니다.', byDistance)} Barbero 외는 Gemma 7B가 가장 빠른 쌍으로 위치를 보는 헤드를 만들고 가장 느린 쌍을 가장 많이 쓴다는 것을 밝혔습니다. 느린 쌍은 내용을 나르리라 짐작하며, 거리에 따른 감소가 회전이 유용한 주된 까닭인지 의심합니다.`,
    sources: sentence`논문(${paper}) 3.4.3절, 식 35–37, 그림 2. ${variable('d')} = 128은 저자의 코드(kexue.fm/archives/8265)에 있습니다. 코사인 합: Su, kexue.fm/archives/10122, Men 외 2024(arXiv 2405.14591). Barbero 외 2024(arXiv 2410.06205).`,
  },
  7: {
    name: '모두 옮기기',
    topic: '중요한 것은 거리뿐',
    question: '모든 위치를 똑같이 옮기면 무엇이 변하는가?',
    text: [
      sentence`모델 전체의 모든 층과 헤드에서 모든 위치에 같은 수를 더합니다. 점수가 거리만 안다면 어떤 가중치도 예측도 변하지 않아야 합니다. RoFormer의 임베딩에는 위치가 없고, 돌리는 것은 쿼리와 키뿐입니다. 그래서 아무리 멀리 옮겨도 남는 것은 각도와 곱과 합을 32비트 수로 반올림한 오차뿐입니다. 그림은 모든 헤드의 모든 가중치와 모든 로짓을 비교합니다.`,
      sentence`설정 하나가 이를 깨뜨립니다. ${code('rotary_value')}를 켜면 값도 돌고, 헤드가 건네는 것에 읽힌 위치가 남아 그 뒤의 모든 층이 그것을 읽습니다. 쿼리의 위치만큼 되돌리면 값은 거리만큼만 돌아 도착하고, 이동 불변성이 되살아납니다.`,
    ],
    guess: {
      question: `모든 위치에 ${integer(set.offset)}을 더합니다. 어텐션 가중치는 얼마나 변할까요?`,
      answers: ['반올림 오차만큼', '깊은 층일수록 많이', '알아볼 수 없을 만큼'],
      because: '가장 큰 변화는 불러온 모델과 그 텍스트에서 그림이 측정해 보여 줍니다.',
    },
    tries: [`${integer(set.offset)}만큼`, '값도 돌리기', '다시 되돌리기'],
    not: sentence`한 번도 보지 못한 거리를 모델이 어떻게 다루는지는 보이지 않습니다. 여기서는 거리가 모두 그대로입니다.`,
    sources: sentence`논문(${paper})의 식 16, transformers의 RoFormer에 있는 ${code('rotary_value')}, RoVE(arXiv 2606.11275).`,
  },
  8: {
    name: '길이를 넘어서',
    topic: '문맥 확장',
    question: '모델은 학습한 길이보다 긴 텍스트를 어떻게 읽는가?',
    text: [
      sentence`학습 길이 안에서 모델은 빠른 바늘을 한 바퀴 전체에서, 느린 바늘을 그 일부에서만 보았습니다. 더 길게 읽으려면 주파수를 바꿉니다. 위치 보간은 모두를 나누어 이웃을 구별하기 어려워집니다. NTK-aware 스케일링은 밑을 키웁니다. 첫 쌍은 그대로이고 마지막 쌍은 배율만큼 나뉩니다. YaRN은 자주 도는 쌍을 그대로 두고, 한 바퀴도 못 도는 쌍을 나누고, 그 사이를 섞습니다. 논문은 회전수로, 코드는 쌍의 번호로 섞는데 둘은 최대 ${decimal(facts.yarn.ratio, 2)}배 다릅니다. LongRoPE는 쌍마다 나눌 계수를 탐색으로 찾습니다. Llama 3.1은 ${integer(facts.llama.kept)}개를 그대로 두고 ${integer(facts.llama.blended)}개를 섞고 ${integer(facts.llama.divided)}개를 나눕니다.`,
      sentence`ReRoPE와 log-n은 주파수를 건드리지 않습니다. ReRoPE는 거리를 한도까지만 세고, log-n은 텍스트가 길어질수록 소프트맥스를 뾰족하게 합니다. 실패하는 까닭이 적어도 둘이기 때문입니다. 하나는 한 번도 보지 못한 거리이고, 하나는 토큰이 많아질수록 옅게 퍼지는 가중치입니다. 어느 쪽인지는 측정해 보아야 합니다. 학습에 쓰지 않은 책에서 우리 모델의 손실은 학습 길이인 토큰 ${integer(beyond.context)}개에서 ${decimal(beyond.losses.plain[1], 2)}, 그 네 배에서 ${decimal(beyond.losses.plain[4], 2)}입니다. 네 배에서 log-n을 쓰면 ${decimal(beyond.losses.logn[4], 2)}, 거리 한도를 쓰면 ${decimal(beyond.losses.clamp[4], 2)}, 둘 다 쓰면 ${decimal(beyond.losses.both[4], 2)}입니다. 추가 학습 없는 보간은 모델을 망칩니다. 손실이 ${decimal(beyond.losses.interpolation[4], 2)}입니다.`,
    ],
    guess: {
      question: `위치를 ${integer(guesses.factor)}배로 보간합니다. 가장 빠른 쌍은 얼마나 느려질까요?`,
      answers: ['그대로', `${integer(guesses.factor / 2)}배`, `${integer(guesses.factor)}배`],
      because: '보간은 모두를 똑같이 나눕니다. NTK-aware와 YaRN은 가장 빠른 쌍을 그대로 둡니다.',
    },
    tries: [`${integer(set.factor)}배 길이, d = ${integer(set.headSize)}`, 'Llama 3.1', 'LongRoPE의 계수'],
    not: sentence`더 학습하면 어떻게 되는지는 보이지 않습니다. 이 손실들은 추가 학습 없이 측정한 것입니다. ${link('탐색기에서는 불러온 모델을 다른 스케일링으로 실행하고', otherScaling)} 나란히 비교할 수 있습니다.`,
    sources: sentence`Chen 외 2023(arXiv 2306.15595), Peng 외 2023(YaRN, arXiv 2309.00071; ICLR 2024 판) 식 13과 부록 A.2, Ding 외 2024(LongRoPE, arXiv 2402.13753) 3.1절과 3.2절(계수는 탐색으로 찾아 모델 파일에 적혀 있습니다. 논문은 텍스트의 첫 토큰들을 그대로 두기도 합니다. 크기 계수는 transformers의 것입니다), transformers의 modeling_rope_utils.py, ReRoPE: github.com/bojone/rerope(코드는 log-n도 씁니다), log-n: Su, kexue.fm/archives/8823. 손실: training/measure_lengths.py.`,
  },
  9: {
    name: '위치를 알려 주는 다른 방법',
    topic: 'ALiBi, T5, 사인파',
    question: '토큰의 위치를 어텐션에 알려 주는 방법은 또 무엇이 있는가?',
    text: [
      sentence`모두 쿼리와 키의 내적에서 시작합니다. 어떤 방법은 계산하거나 학습한 벡터를 임베딩에 더합니다. 그러면 점수는 네 항입니다. 어떤 방법은 거리의 벡터를 키에 더하거나(Shaw), 그 벡터를 쿼리와 키에 곱합니다(Transformer-XL, DeBERTa). 어떤 방법은 점수에 수를 더합니다. 거리 구간마다 학습한 수(T5), 위치끼리의 내적과 함께(TUPE), 또는 정해진 벌점(ALiBi)입니다. RoPE는 아무것도 더하지 않고 돌립니다.`,
      sentence`모든 토큰을 옮기고 맵을 비교해 봅시다. 거리만 아는 방법은 그대로이고, 위치를 아는 방법은 변하며, 학습한 표는 끝이 납니다. 학습하는 양도 다릅니다. 크기 ${integer(facts.learnt.headSize)}인 헤드 ${integer(facts.learnt.heads)}개와 위치 ${integer(facts.learnt.positions)}개라면 표는 숫자 ${integer(facts.learnt.learned)}개, T5는 ${integer(facts.learnt.t5)}개, RoPE는 없습니다.`,
      sentence`흔한 오기가 셋 있습니다. 더한 위치의 네 항(식 6)을 Transformer-XL의 식(식 7)이라 하는 것, DeBERTa의 위치 p̃를 x̃로 적는 것, 그리고 논문 자체에서 Ke 외의 TUPE인 식 9를 Raffel 외의 것으로 적는 것입니다.`,
    ],
    guess: {
      question: `모든 토큰이 위치 ${integer(set.first)}만큼 뒤로 갑니다. 어느 맵이 변할까요?`,
      answers: ['ALiBi', 'T5', '학습한 표'],
      because: 'ALiBi와 T5는 거리만 압니다. 표에는 위치마다 다른 행이 있습니다.',
    },
    tries: ['끝에 다다른 표', `사인파, ${integer(set.first)}만큼 옮기기`, `RoPE, ${integer(set.first)}만큼 옮기기`],
    not: sentence`어느 것이 나은지는 보이지 않습니다. 가중치는 모두 시드로 뽑은 것이며 모델이 학습했을 것을 대신합니다.`,
    sources: sentence`논문(${paper})의 식 3–10과 16. 둘은 원래 논문의 형태입니다. Shaw 외 2018(arXiv 1803.02155)은 만들어진 키에 벡터를 더하고(식 5는 ${variable('W')}${sub('k')}를 곱하기 전에 더합니다) 값에도 더합니다. Transformer-XL(Dai 외 2019, arXiv 1901.02860)에서는 u와 v가 쿼리 전체를 대신합니다(식 7은 ${variable('W')}${sub('q')}를 곱합니다). TUPE: Ke 외 2020(arXiv 2006.15595). DeBERTa 자체(arXiv 2006.03654)는 셋째 항의 거리를 반대로 세고 위치의 행렬을 따로 학습합니다. ALiBi(Press 외 2022, arXiv 2108.12409)는 거기서 인과적이지만 여기서는 벌점이 양쪽에 있습니다. T5는 내적을 √${variable('d')}로 나누지 않고, TUPE와 DeBERTa는 두 배와 세 배의 제곱근으로 나눕니다. 여기서는 모두 √${variable('d')}로 나눕니다.`,
  },
  10: {
    name: '무엇이 들고 무엇을 얻는가',
    topic: '계산량, 커널',
    question: '회전에는 무엇이 들고, 무엇에 좋은가?',
    text: [
      sentence`논문의 행렬로 쓰면 크기 ${integer(facts.headSize)}인 벡터를 돌리는 데 곱셈이 ${integer(facts.cost.matrix)}번 들고 거의 모두 0과의 곱입니다. 쌍마다 하면 ${integer(facts.cost.pairwise)}번이고, 복소수의 곱으로 써도 같습니다. 위치 ${integer(facts.context)}개의 코사인과 사인은 숫자 ${integer(facts.cost.table)}개로, 모든 헤드와 층이 함께 씁니다. 행렬이라면 ${integer(facts.cost.matrices)}개입니다.`,
      sentence`토큰 ${variable('N')}개의 어텐션은 가중치 ${variable('N')}²개를 만듭니다. 선형 어텐션은 키에 대한 합을 한 번만 구하고 그런 맵을 만들지 않습니다. 이때 회전은 특징 함수 뒤에 오며 분모는 돌리지 않습니다(식 19). 그래서 가중치가 음수일 수 있고 합이 1이 아닙니다.`,
      sentence`똑같이 짧게 세 번씩 학습한 우리 모델의 손실은 회전 위치 ${decimal(trained.rotary.loss_by_length[128].mean, 2)}, 사인파 ${decimal(trained.sinusoidal.loss_by_length[128].mean, 2)}, 학습한 표 ${decimal(trained.learned.loss_by_length[128].mean, 2)}였습니다. 누가 먼저 배우는지를 말할 뿐, 끝에 얼마나 차이 나는지는 말하지 않습니다.`,
    ],
    guess: {
      question: `회전 위치를 쓰는 모델은 토큰 ${integer(training.tokens)}개로 학습했습니다. ${integer(training.longest)}개에서 손실은 …`,
      answers: ['조금 높습니다', '두 배입니다', '낮습니다'],
      because: '길이를 넘어서면 천천히 나빠집니다. 학습한 표는 거기에 행이 없습니다.',
    },
    tries: ['회전 위치만', '회전의 세 가지 방법 측정', '길이에 따른 어텐션 측정'],
    not: sentence`끝까지 달린 경주가 아닙니다. ${integer(training.steps)}스텝 뒤 두 절대 위치 방식은 거의 배우기 시작하지도 못했고, 그것에 더 맞는 설정을 찾지 않았습니다.`,
    sources: sentence`논문(${paper})의 식 34와 3.4.2절, 식 17–19. 그림 3을 작게 한 것: training/compare_positions.py, 결과는 training/results/positions.json.`,
  },
})

const page: ReadWords['page'] = {
  title: '읽기',
  chapters: '장',
  figures: '이 장의 그림',
  all: '모든 그림',
  previous: (name) => `이전: ${name}`,
  lesson: '수업: 아홉 단계로 보는 트랜스포머 전체',
  next: (name) => `다음: ${name}`,
  toFigure: '그림으로',
  larger: '크게',
  smaller: '작게',
  allTitle: '모든 그림',
  allLead: '그림 하나씩, 또는 둘을 나란히. 모두 같은 눈금자를 따릅니다.',
  guess: '먼저 짐작해 보기',
  right: '맞습니다.',
  wrong: '아닙니다.',
  attempt: '해 보기',
  not: '보이지 않는 것:',
  sources: '출처',
  errata: '흔한 오해',
  noEngine: '엔진이 시작되지 않았습니다. 그림은 멈춰 있지만 글은 모두 읽을 수 있습니다.',
  noModel: '모델이 필요합니다. 첫 결과와 함께 나타납니다.',
  ruler: {
    label: '모든 그림의 눈금자',
    headSize: '헤드 크기',
    base: '밑',
    context: '문맥 길이',
    vectors: 'q와 k',
    vector: { random: '무작위', equal: '같음', head: '이 헤드' },
    query: '쿼리',
    key: '키',
    both: '둘 다',
    distance: (tokens) => `간격 ${integer(Math.abs(tokens))}`,
    back: (what) => `${what} 한 칸 앞으로`,
    on: (what) => `${what} 한 칸 뒤로`,
    play: '재생',
    stop: '멈춤',
    ofModel: '모델의 것',
  },
}

export const read: ReadWords = { chapters, page }
