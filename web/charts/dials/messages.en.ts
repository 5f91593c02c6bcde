import { decimal } from '../../i18n/numbers'
import { messages } from '../../i18n/messages.svelte'

const en = {
  pair: (pair: number) => `pair ${pair}`,
  named: (pair: number, role: string) => `pair ${pair}, ${role}`,
  roles: {
    fastest: 'fastest',
    strongest: 'strongest',
    second: 'second strongest',
    slowest: 'slowest',
    selected: 'selected',
  },
  /** A full turn, in a line and in few letters. */
  period: (tokens: string) => `one turn: ${tokens} tokens`,
  brief: (tokens: string) => `${tokens} tokens`,
  components: (first: number, second: number) => `components ${first}, ${second}`,
  adds: (part: string) => `adds ${part}`,
  turns: (count: number) => `${decimal(count, 1)} turns`,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
