import { decimal, integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: '쿼리, 키, 값의 모든 숫자를 바꿀 수 있습니다. 행은 쿼리, 열은 키입니다.',
  source: 'Vaswani 외 2017(arXiv 1706.03762) 식 1, 배정밀도로 계산.',
  tokens: ['the', 'cat', 'sat'],
  query: '쿼리',
  key: '키',
  value: '값',
  scores: '점수',
  weights: '가중치',
  outputs: '받는 것',
  cell: (what, token, at) => `${token}의 ${what}, ${integer(at)}번 숫자`,
  scale: '내적을 나누는 수',
  scaled: (by) => decimal(by, 2),
  mask: '마스크',
  masks: { none: '없음', padding: '패딩', causal: '인과', cross: '인코더 패딩' },
  swap: '처음 둘 맞바꾸기',
  table: '점수와 가중치',
  columns: ['쿼리', '키', '점수', '가중치'],
} satisfies Messages
