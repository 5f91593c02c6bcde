import { decimal } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  pair: (pair) => `${pair}. pár`,
  named: (pair, role) => `${pair}. pár, ${role}`,
  roles: {
    fastest: 'leggyorsabb',
    strongest: 'legerősebb',
    second: 'második legerősebb',
    slowest: 'leglassabb',
    selected: 'kiválasztva',
  },
  period: (tokens) => `egy fordulat: ${tokens} token`,
  brief: (tokens) => `${tokens} token`,
  components: (first, second) => `${first}., ${second}. komponens`,
  adds: (part) => `hozzáad: ${part}`,
  turns: (count) => `${decimal(count, 1)} fordulat`,
} satisfies Messages
