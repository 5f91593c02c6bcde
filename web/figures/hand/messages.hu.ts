import { decimal, integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: 'A lekérdezés, a kulcs és az érték minden száma átírható. Sorok: lekérdezések, oszlopok: kulcsok.',
  source: 'Vaswani és mások 2017 (arXiv 1706.03762), 1. egyenlet, dupla pontossággal.',
  tokens: ['the', 'cat', 'sat'],
  query: 'lekérdezés',
  key: 'kulcs',
  value: 'érték',
  scores: 'pontszám',
  weights: 'súly',
  outputs: 'amit kap',
  cell: (what, token, at) => `${token}: ${what}, ${integer(at)}. szám`,
  scale: 'a szorzatok osztója',
  scaled: (by) => decimal(by, 2),
  mask: 'maszk',
  masks: { none: 'nincs', padding: 'kitöltés', causal: 'kauzális', cross: 'a kódolóé' },
  swap: 'az első kettő cseréje',
  table: 'pontszámok és súlyok',
  columns: ['lekérdezés', 'kulcs', 'pontszám', 'súly'],
} satisfies Messages
