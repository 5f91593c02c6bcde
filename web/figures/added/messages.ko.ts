import { decimal, integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: '위: 위치가 더하는 벡터와 그 가운데 두 차원의 곡선. 아래: 그것을 더하면 무작위 벡터 하나가 어떻게 되는지.',
  source: `논문(Su 외 2021, arXiv 2104.09864)의 식 4. 코사인 1은 위치를 더하지 않은 벡터의 방향입니다. 학습한 표는 공개 모델 sentence-transformers/all-MiniLM-L6-v2(Apache-2.0)의 것으로, training/learned_table.py가 8비트로 반올림했습니다. 무작위 벡터의 길이는 그 모델의 단어 임베딩의 평균 길이입니다. 가장 짙은 색은 평균 크기의 세 배 이상입니다.`,
  kind: '더하는 것',
  kinds: { sinusoids: '사인파', learned: '학습한 표' },
  learned: (model, dimensions, of, rows) =>
    `${model}: ${integer(of)}차원 가운데 ${integer(dimensions)}차원, 행은 ${integer(rows)}개가 전부입니다.`,
  rows: '더하는 것: 위치 →, 차원 ↓, 녹색 +, 자홍색 −',
  positions: '위치',
  pair: '차원',
  dimension: (sine, cosine) => `${integer(sine)}, ${integer(cosine)}`,
  single: (sine, cosine) => `${integer(sine)}번(사인)과 ${integer(cosine)}번(코사인, 점선) 차원`,
  both: (one, other) => `${integer(one)}번과 ${integer(other)}번(점선) 차원`,
  norm: (position, norm) => `합의 길이: 위치 ${integer(position)}에서 ${decimal(norm, 2)}`,
  cosine: (position, cosine) => `합의 방향(원래 벡터와의 코사인): 위치 ${integer(position)}에서 ${decimal(cosine, 2)}`,
  without: (norm) => `더하기 전 ${decimal(norm, 2)}`,
  random: '무작위 벡터의 코사인: 차원이 많을수록 직각에 가깝습니다',
  dimensions: (count) => `${integer(count)}차원`,
  table: '위치를 더한 벡터',
  columns: ['위치', '길이', '코사인'],
  label: '더하는 위치',
  value: (position, norm, cosine) =>
    `위치 ${integer(position)}: 길이 ${decimal(norm, 2)}, 코사인 ${decimal(cosine, 2)}`,
} satisfies Messages
