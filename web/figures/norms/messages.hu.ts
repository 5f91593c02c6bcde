import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: 'Egy lekérdezésvektor hossza, páronként és egészben. Oszlop: ahogy van; sötét: a pozíciójával elforgatva; színes: a szinuszos pozíciót hozzáadva.',
  source: `A cikk (Su és mások 2021, arXiv 2104.09864) 4., 14. és 15. egyenlete, dupla pontossággal: a forgatás ortogonális.`,
  kinds: { before: 'ahogy van', rotated: 'elforgatva', added: 'pozíciót hozzáadva' },
  pair: 'pár',
  length: 'a pár hossza',
  row: 'az egész vektor',
  changed: (position, rotated, added) =>
    `${integer(position)}. pozíció: a forgatás egyetlen pár hosszát sem változtatja ${rotated} értéknél többel, a hozzáadás akár ${added} értékkel is.`,
  table: 'hosszak',
} satisfies Messages
