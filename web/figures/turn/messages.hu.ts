import { decimal, integer, signedDecimal } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: 'Húzza a nyilak hegyét. Pontozva: ahonnan indulnak. A görbe ugyanennek a párnak a pontszáma minden más távolságban.',
  source: `A cikk (Su és mások 2021, arXiv 2104.09864) 12–14. egyenlete.`,
  queryAt: (position) => `lekérdezés: ${integer(position)}`,
  keyAt: (position) => `kulcs: ${integer(position)}`,
  score: (score) => `pontszám ${signedDecimal(score, 3)}`,
  norms: (query, key) => `hosszuk forgatva is ${decimal(query, 3)} és ${decimal(key, 3)}`,
  angle: 'θ',
  degrees: (angle) => `${integer(angle)}°`,
  pairing: 'a párok',
  pairings: { neighbours: 'szomszédok', halves: 'két félből' },
  behind: 'kulcs előbb',
  ahead: 'kulcs később',
  dimension: (at) => `x${integer(at)}`,
  drawn: (who, length, angle) => `${who}: hossz ${decimal(length, 2)}, ${integer(angle)} fok`,
  table: 'pontszám távolság szerint',
  columns: ['távolság (lekérdezés − kulcs)', 'pontszám'],
} satisfies Messages
