import { headName, integer, percent, score } from '../../i18n/numbers'
import { key, query, sentence, token } from '../../i18n/rich'
import type { Messages } from './messages.en'

export default {
  help: '내 텍스트를 읽는 모델을 한 단계씩 봅니다. 질문에 답하면 그림이 움직입니다.',
  source:
    '모든 숫자는 이 텍스트를 읽은 이 모델의 것입니다. 옆의 탑은 모델 전체로, 맨 아래가 임베딩, 맨 위가 마지막 층입니다. 층마다 어텐션과 피드포워드 네트워크가 각 토큰의 스트림에 더하는 벡터의 길이를 색으로 나타냅니다. 층 뒤의 예측은 로짓 렌즈입니다.',
  loading: '모델의 숫자를 읽는 중…',
  steps: '단계',
  back: '이전',
  next: '다음',
  again: '다시',
  show: '그냥 보기',
  byHand: '그림 움직이기',
  leave: '탐색기에서 더 보기',
  moving: '그림이 움직이는 중…',
  done: '이제 그림을 손으로 움직일 수 있습니다.',
  right: '맞습니다.',
  wrong: '아닙니다.',
  yes: '예',
  no: '아니요',
  names: (rotates) => [
    '토큰',
    '벡터',
    '투영',
    rotates ? '회전' : '위치',
    '점수',
    '소프트맥스',
    '값',
    '피드포워드',
    '예측',
  ],
  titles: (rotates) => [
    '텍스트가 토큰이 됩니다',
    '토큰이 벡터가 됩니다',
    '쿼리, 키, 값',
    rotates ? '회전이 위치를 알립니다' : '위치를 더합니다',
    '점수: 어느 키가 맞는가',
    '마스크와 소프트맥스: 점수에서 가중치로',
    '값을 섞습니다',
    '피드포워드 네트워크',
    '모든 층의 합이 예측이 됩니다',
  ],
  texts: {
    tokens: ({ vocabulary, predicts, causal, masks }) =>
      `네트워크는 숫자로 계산하므로 텍스트를 먼저 숫자로 바꿔야 합니다. 어휘는 텍스트 조각 ${integer(vocabulary)}개의 목록입니다. 토크나이저가 텍스트를 이런 조각, 곧 토큰으로 자르고, 토큰은 목록에서의 번호가 됩니다. 모델은 글자를 전혀 보지 않습니다.${!predicts ? '' : causal ? ' 모델은 다음 토큰을 예측합니다.' : masks ? ' 모델은 마스크로 가린 토큰을 예측합니다.' : ''}`,
    vectors: ({ embedding, hidden, rotates }) =>
      `번호마다 임베딩 행렬의 행 하나를 가져옵니다. 학습으로 찾은 숫자 ${integer(embedding)}개입니다${embedding === hidden ? '' : `(행렬 하나가 이를 ${integer(hidden)}개로 만듭니다)`}. 비슷하게 쓰이는 토큰은 행도 비슷합니다. 이 벡터에서 토큰의 잔차 스트림이 시작되고, 모든 층이 여기서 읽고 여기에 더합니다.${rotates ? '' : ' 이 모델은 위치 벡터도 바로 더합니다.'}`,
    projections: ({ heads, sharing, cross }, head) =>
      `${cross ? '' : `층마다 어텐션 헤드 ${integer(heads)}개로 토큰이 서로를 봅니다. `}헤드 ${headName(head)}에서는 정규화한 토큰 벡터에 행렬 세 개를 곱합니다. 쿼리는 무엇을 찾는지, 키는 무엇으로 발견되는지, 값은 무엇을 넘겨주는지입니다. 한 층의 헤드${cross ? ` ${integer(heads)}개` : ''}는 모두 같은 벡터를 읽고, ${sharing > 1 ? `쿼리는 저마다 따로 만들며 키와 값은 ${integer(sharing)}개가 함께 씁니다.` : '행렬은 저마다 따로 있습니다.'}${cross ? ' 쿼리는 텍스트에서, 키와 값은 원문에서 나옵니다.' : ''}`,
    rotation: ({ rotatesValues }) =>
      `어텐션은 그 자체로는 순서를 모릅니다. 순서는 회전이 층마다 알려 줍니다. 쿼리나 키의 숫자 두 개가 화살표 하나이고, 토큰의 위치에 속도를 곱한 만큼 돕니다. 첫 쌍은 빠르게 돌고, 마지막 쌍은 거의 돌지 않습니다. 다음 단계의 점수는 화살표의 방향을 견줍니다. ${rotatesValues ? '이 모델은 값도 돌립니다.' : '값과 스트림은 돌지 않습니다.'}`,
    positions: () =>
      '이 모델은 아무것도 돌리지 않습니다. 위치마다 벡터가 있어서 처음에 토큰의 벡터에 더해졌습니다. 무엇이 가깝고 먼지는 층들이 이 합에서 알아내야 합니다. RoPE는 다른 길을 갑니다. 쿼리와 키를 돌립니다.',
    scores: (of, { causal, cross }) =>
      sentence`${query(of)}의 쿼리가 ${cross ? '원문의 모든 토큰' : causal ? '자신까지의 모든 토큰' : '모든 토큰'}의 키와 만납니다. 숫자끼리 곱해 모두 더하고, 성분이 많다고 점수가 커지지 않게 나눕니다. 둘의 방향이 비슷할수록 점수가 크고, 찾던 키라는 뜻입니다.`,
    weights: ({ causal, cross }) =>
      `소프트맥스는 점수를 가중치로 바꿉니다. e를 점수만큼 거듭제곱해 전체 합으로 나눕니다. 가중치의 합은 1이어서, 한 토큰을 더 보면 다른 토큰은 덜 봅니다. ${cross ? '원문은 모두 보입니다.' : causal ? '뒤의 토큰은 마스크로 가립니다. 아니면 맞혀야 할 것을 미리 보게 됩니다.' : '여기서는 토큰마다 앞뒤의 모든 토큰을 볼 수 있습니다.'}`,
    values: ({ heads, sharing, rotates }) =>
      `값마다 가중치를 곱해 모두 더하면 헤드의 출력입니다. 이렇게 어텐션은 정보를 토큰에서 토큰으로 옮깁니다. 행렬 하나가 헤드 ${integer(heads)}개의 출력으로 벡터 하나를 만들고, 이 벡터가 토큰의 스트림에 더해집니다. 한 층의 헤드가 함께하는 것은 ${rotates ? '읽는 벡터, 쓰는 곳, 회전' : '읽는 벡터와 쓰는 곳'}${sharing > 1 ? `이고, ${integer(sharing)}개씩은 키와 값도 함께 씁니다.` : '뿐입니다.'}`,
    feedForward: ({ neurons }) =>
      `이제 토큰은 저마다 혼자입니다. 행렬 하나가 토큰의 벡터를 학습으로 찾은 패턴 ${integer(neurons)}개와 견주고, 그 결과 하나하나가 뉴런입니다. 활성화 함수는 음수를 거의 0으로 만듭니다. 둘째 행렬이 뉴런으로 벡터를 만들어 스트림에 더합니다. 어텐션은 정보를 옮기고, 이 네트워크는 그 정보를 다룹니다.`,
    guess: ({ predicts, masks }) =>
      `토큰의 잔차 스트림은 합이고, 정규화는 크기만 바꿉니다. 임베딩에, 모든 층의 어텐션과 피드포워드 네트워크가 더한 것을 합쳤습니다. ${predicts && !masks ? '출력 헤드가 이것으로 확률을 만듭니다. 이 텍스트에는 마스크가 없어 예측할 것이 없습니다. 하나 써 넣어 보세요.' : predicts ? '출력 헤드는 마지막 합을 어휘의 토큰마다 있는 벡터와 견주고, 소프트맥스가 확률로 바꿉니다. 스트림을 더 일찍 읽으면 예측이 어떻게 생기는지 보입니다.' : '이 부분에는 토큰의 출력 헤드가 없고, 마지막 합을 다른 부분이 이어받습니다.'}`,
  },
  questions: {
    tokens: '이 텍스트는 토큰 몇 개가 될까요?',
    vectors: '같은 토큰이 다른 자리에 있으면, 처음의 벡터도 같을까요?',
    projections: (hidden) => `토큰의 벡터에는 숫자가 ${integer(hidden)}개 있습니다. 이 헤드의 쿼리에는 몇 개일까요?`,
    rotation: (tokens) => `두 토큰이 함께 ${integer(tokens)}칸 뒤로 밀리면 점수는 어떻게 될까요?`,
    positions: '위치의 벡터는 거기 있는 토큰에 따라 다를까요?',
    scores: (of) => sentence`${query(of)}의 쿼리에 가장 잘 맞는 키는?`,
    weights: (of) => sentence`${key(of)}에 가는 가중치는 얼마일까요?`,
    values: (rotates) => (rotates ? '값도 위치에 따라 돌까요?' : '값은 토큰이 어디 있는지 알릴 수 있을까요?'),
    feedForward: '이 네트워크는 다른 토큰 가운데 어느 것을 읽을까요?',
    guess: '가장 좋은 예측은 어느 층부터 바뀌지 않을까요?',
    longest: (of) => sentence`${token(of)}의 스트림에 가장 긴 벡터를 더하는 것은?`,
  },
  options: {
    score: ['그대로', '커진다', '작아진다'],
    read: ['없음', '가중치가 큰 것', '전부'],
  },
  answers: {
    tokens: (tokens, special) =>
      `토큰 ${integer(tokens)}개입니다${special > 0 ? `. 그 가운데 ${integer(special)}개는 모델에 필요한 특수 토큰입니다` : ''}. 흔한 단어는 토큰 하나, 드문 단어는 여러 개입니다.`,
    vectors: (rotates) =>
      rotates
        ? '예, 행은 토큰의 것입니다. 어디에 있는지는 아직 아무것도 알리지 않습니다.'
        : '아니요: 위치 벡터가 바로 더해집니다.',
    projections: (headSize, heads) =>
      `${integer(headSize)}개입니다. 헤드 ${integer(heads)}개가 저마다 작은 공간에서 다른 것을 찾습니다.`,
    rotation:
      '그대로입니다. 한 쌍의 두 화살표가 같은 각도로 돌고, 둘 사이의 각도만 중요합니다. 어텐션은 자리가 아니라 거리에 달려 있습니다.',
    positions: '아니요: 어느 텍스트에서나 같습니다. 층들은 둘의 합만 봅니다.',
    scores: (of, value) => sentence`${key(of)}, 점수는 ${score(value)}입니다.`,
    weights: (part) => `${percent(part)}입니다. e를 거듭제곱하면 점수의 작은 차이가 커집니다.`,
    values: (rotates, turns) =>
      !rotates
        ? '예, 값을 만드는 벡터에 위치가 더해져 있습니다.'
        : turns
          ? '예, 이 모델에서는 돕니다.'
          : '아니요: 회전은 어느 토큰을 볼지를 정할 뿐, 무엇을 가져올지는 정하지 않습니다.',
    feedForward: (of, part) =>
      sentence`없습니다. 같은 네트워크가 토큰을 하나씩 처리합니다. ${token(of)}에서는 뉴런의 ${percent(part, 0)}가 거의 조용합니다.`,
    guess: (found, where) => sentence`${token(found)}: ${where}.`,
    longest: (name) => `${name}.`,
  },
  embedding: '임베딩',
  afterLayer: (layer) => `${integer(layer)}층`,
  attentionOf: (layer) => `${integer(layer)}층의 어텐션`,
  feedForwardOf: (layer) => `${integer(layer)}층의 피드포워드`,
  pair: (pair) => `쌍 ${integer(pair)}`,
  turnEvery: (tokens) => (tokens === '∞' ? '돌지 않음' : `한 바퀴 ${tokens}`),
  turnInTokens: (tokens) => (tokens === '∞' ? '돌지 않음' : `한 바퀴에 토큰 ${tokens}개`),
  scoreNow: (value) => `점수 ${value}`,
  rotating: '둘 다 자기 위치만큼 돕니다.',
  movedOn: (tokens, of) => `둘이 함께 나아갑니다: ${integer(of)}칸 중 ${integer(tokens)}칸.`,
  neuron: (neuron) => `뉴런 ${String(neuron)}`,
  masked: '마스크',
  tower: {
    top: '출력',
    bottom: '텍스트: 열마다 토큰 하나',
    colours: '색이 진할수록 많이 더함',
    rows: {
      embedding: () => '임베딩',
      attention: (layer) => `어텐션 ${integer(layer)}`,
      cross: (layer) => `교차 ${integer(layer)}`,
      feedForward: (layer) => `피드포워드 ${integer(layer)}`,
    },
  },
  negative: '음수',
  positive: '양수',
  columns: {
    token: '토큰',
    place: '위치',
    id: '어휘의 번호',
    word: '임베딩 행렬의 행',
    position: '위치 벡터',
    stream: '이 층 앞의 스트림',
    query: '쿼리',
    key: '키',
    keys: '키',
    rotatedKeys: '회전한 키',
    rotatedQuery: '회전한 쿼리',
    value: '값',
    weighted: '값 × 가중치',
    score: '점수',
    weight: '가중치',
    output: '헤드 출력',
    inner: '첫째 행렬 뒤의 뉴런',
    activated: '둘째 행렬이 읽는 것',
    strongest: '가장 강한 것',
    attention: '어텐션이 더한 길이',
    feedForward: '피드포워드가 더한 길이',
    guess: '예측',
    probability: '예측, 확률',
    layer: '층',
    neuron: '뉴런',
  },
  label: (title, of) =>
    `${title}. 그림은 ${of.text} ${of.position}의 것입니다. 좌우 화살표로 단계를, 토큰 목록이 있으면 위아래 화살표로 토큰을 바꿉니다.`,
  moved: (name) => name,
} satisfies Messages
