import { integer, signed } from '../../i18n/numbers'
import { sentence } from '../../i18n/rich'
import type { Messages } from './messages.en'

export default {
  help: '예측의 로짓을 합으로 나눕니다. 임베딩, 층마다의 어텐션, 층마다의 피드포워드 네트워크가 더하는 것입니다.',
  source:
    '직접 로짓 귀속입니다. 모든 층이 토큰의 잔차 스트림에 더하고, 출력 헤드가 그 합을 읽습니다. 정규화의 배율과 활성화 결과와 입력의 비는 이 실행의 값으로 둡니다. 그러면 모두 선형이 되어 항을 더하면 로짓이 됩니다. 헤드가 뒤의 층에 주는 영향은 세지 않습니다.',
  loading: '로짓을 나누는 중…',
  none: '인코더는 토큰을 예측하지 않습니다. 디코더나 교차 어텐션을 고르세요.',
  token: '예측',
  heads: '헤드마다',
  kinds: {
    embedding: '임베딩',
    head: '헤드',
    cross_head: '교차 어텐션 헤드',
    feed_forward: '피드포워드 네트워크',
    bias: '편향',
  },
  rows: {
    embedding: '임베딩',
    attention: (layer) => `어텐션 ${integer(layer)}`,
    cross: (layer) => `교차 어텐션 ${integer(layer)}`,
    feed_forward: (layer) => `피드포워드 ${integer(layer)}`,
    bias: '모든 편향',
    others: '나머지 모두',
    rounding: '반올림',
  },
  crossHead: (head) => `교차 ${head}`,
  total: (token) => `${token}의 로짓`,
  headline: (token, part, value, logit) =>
    sentence`“${token}”의 로짓 ${logit}에 가장 많이 더하는 것은 ${part}(${value})입니다.`,
  totalOf: (token, logit) => sentence`“${token}”의 로짓은 ${logit}입니다.`,
  unavailable: '이 로짓은 나눌 수 없습니다',
  line: ({ embedding, attention, feedForward, bias }) =>
    `임베딩 ${signed(embedding)}, 어텐션 ${signed(attention)}, 피드포워드 ${signed(feedForward)}, 편향 ${signed(bias)}.`,
  label: (token) => `폭포 그래프: ${token}의 로짓을 이루는 것을 위에서 아래로.`,
  moved: (part, value) => `${part}: ${signed(value)}`,
  limits: '정규화와 활성화는 이 실행의 값으로 둡니다. 로짓은 확률이 아니며, 다른 로짓과의 차이만 뜻이 있습니다.',
  table: '로짓의 항',
  columns: ['부분', '위치', '더하는 값'],
} satisfies Messages
