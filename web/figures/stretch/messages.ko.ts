import { facts } from '../../i18n/facts'
import { decimal, integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: '주파수: 1이면 그대로이고, 맨 아래는 배율만큼 나뉜 것입니다. 칠한 곳: 문맥 안에 한 바퀴를 돌지 못하는 쌍.',
  source: `각 논문 또는 transformers의 modeling_rope_utils.py를 따릅니다. src/rope/stretched.rs. 크기 계수(attention factor)는 표에 있습니다. LongRoPE: Phi-3-mini-128k의 config.json에 있는 계수로, 크기 ${integer(facts.phi3.headSize)}인 헤드에만 맞습니다. 거리 한도는 ReRoPE 저장소가 Llama 2의 결과에 쓴 대로 문맥 길이의 4분의 1이며, 그 코드는 log-n도 곱합니다. log-n은 문맥 길이를 넘는 점수에 ln(위치 + 1) / ln(문맥 길이)를 곱합니다. 점수는 모든 쌍에서 같은 쿼리와 키의 쌍별 평균입니다. 다이얼: 칠한 곳은 문맥 안에서 쌍이 이르는 각도, 테는 더 긴 텍스트에서 이르는 각도이며, 새로운 각도는 굵고 색이 있습니다.`,
  ways: {
    trained: '학습한 대로',
    interpolation: '보간',
    ntk: 'NTK-aware',
    dynamic: '동적, 끝에서',
    yarn: 'YaRN 논문',
    yarnCode: 'YaRN 코드',
    llama: 'Llama 3.1',
    partial: '부분 회전',
    proportional: '비례 부분 회전',
    longrope: 'LongRoPE (Phi-3)',
    clamp: '거리 한도 (ReRoPE)',
    logn: 'log-n',
  },
  factor: '길이 배율',
  times: (factor) => `${integer(factor)}배`,
  waysLabel: '방법',
  quantity: '그리는 것',
  quantities: { ratio: '주파수', wavelength: '파장', score: '점수', dials: '다이얼' },
  dials: (way, pairs) => `${way}: 새로운 각도에 이르는 쌍 ${integer(pairs)}개`,
  wavelength: 'λ, 한 바퀴의 토큰',
  distance: '거리 (토큰)',
  score: '같은 벡터의 점수',
  context: '문맥 길이',
  unchanged: '주파수는 그대로',
  searched: (least, most) => `쌍마다 다른 계수로 나눔, ${decimal(least, 2)}–${decimal(most, 2)}`,
  ratio: '늘인 뒤의 θ / 늘이기 전의 θ',
  unturned: (pairs) => `문맥 안에 한 바퀴를 돌지 못하는 쌍 ${integer(pairs)}개`,
  counts: (unchanged, blended, divided) =>
    `그대로 두는 쌍 ${integer(unchanged)}개, 섞는 쌍 ${integer(blended)}개, 나누는 쌍 ${integer(divided)}개`,
  still: (pairs) => `멈춘 쌍 ${integer(pairs)}개`,
  table: 'θ의 비',
  magnitude: '크기 계수',
  pair: '쌍 · 한 바퀴의 토큰(λ)',
} satisfies Messages
