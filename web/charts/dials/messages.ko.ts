import { decimal } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  pair: (pair) => `${pair}번 쌍`,
  named: (pair, role) => `${pair}번 쌍, ${role}`,
  roles: {
    fastest: '가장 빠름',
    strongest: '가장 큼',
    second: '두 번째로 큼',
    slowest: '가장 느림',
    selected: '선택됨',
  },
  period: (tokens) => `${tokens}토큰에 한 바퀴`,
  brief: (tokens) => `${tokens}토큰`,
  components: (first, second) => `성분 ${first}, ${second}`,
  adds: (part) => `몫 ${part}`,
  turns: (count) => `${decimal(count, 1)}바퀴`,
} satisfies Messages
