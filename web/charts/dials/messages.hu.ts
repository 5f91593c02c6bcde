import { decimal } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  pair: (pair) => `${pair}. pár`,
  selected: 'kiválasztva',
  period: (tokens) => `${tokens} token egy fordulat`,
  brief: (tokens) => `${tokens} token`,
  adds: (part) => `hozzáad: ${part}`,
  turns: (count) => `${decimal(count, 1)} fordulat`,
} satisfies Messages
