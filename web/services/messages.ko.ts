import type { Messages } from './messages.en'

export default {
  bundled: {
    'roformer-english': '작은 영어 마스크 언어 모델: [MASK]가 가린 것을 예측합니다.',
    'roformer-english-causal': '작은 영어 인과 언어 모델: 토큰마다 앞의 토큰을 보고 다음 토큰을 예측합니다.',
    'roformer-linear-english':
      '선형 어텐션(RoFormer 논문의 식 19)을 쓰는 작은 영어 마스크 언어 모델. 음수 가중치도 그대로 음수입니다.',
    'marian-numbers': '수와 날짜를 영어, 헝가리어, 한국어로 풀어 쓰는 인코더–디코더: 교차 어텐션이 숫자를 따라갑니다.',
  },
  offline: {
    noWorkers: '이 브라우저에는 서비스 워커가 없음',
    notRunning: '서비스 워커가 실행되지 않음',
    ended: '브라우저가 서비스 워커를 종료함',
  },
} satisfies Messages
