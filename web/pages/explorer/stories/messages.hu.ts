import { integer } from '../../../i18n/numbers'
import { hasNoHover } from '../../../ui/pointer'
import type { Messages } from './messages.en'

export default {
  stories: 'Történetek',
  label: (name) => `Történet: ${name}`,
  place: (caption, all) => `${integer(caption)} / ${integer(all)}`,
  back: 'Vissza',
  next: 'Tovább',
  close: 'Bezárás',
  end: 'Vissza oda, ahol voltam',
  keys: 'A nyilak és az Enter továbbvisznek, az Esc visszavisz oda, ahol volt.',
  measuring: 'Mérés…',
  loading: (model) => `Modell betöltése: ${model}…`,
  get elsewhere(): string {
    return hasNoHover()
      ? 'Mást választott. A „Tovább” gombbal folytatódik a történet, a ✕ visszavisz.'
      : 'Mást választott. A nyilakkal folytatódik a történet, az Esc visszavisz.'
  },
} satisfies Messages
