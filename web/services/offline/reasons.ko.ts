import type { Messages } from './reasons.en'

export default {
  noWorkers: '이 브라우저에는 서비스 워커가 없음',
  notRunning: '서비스 워커가 실행되지 않음',
  ended: '브라우저가 서비스 워커를 종료함',
} satisfies Messages
