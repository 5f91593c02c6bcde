import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: 'A mutató alatt: hány token egy fordulat (λ). Szürke: ameddig a kontextuson belül eljut. Vékony: lekérdezés, vastag: kulcs.',
  source: `A cikk (Su és mások 2021, arXiv 2104.09864) 15. egyenlete, dupla pontossággal. Ahol egy képpont több pozíciót fed, átlagos színű.`,
  mapTitle: 'Hol olvasható le egy mutató',
  mode: 'kép',
  modes: { angle: 'szög', cos: 'cos', sin: 'sin', turns: 'fordulat' },
  axis: 'tokenek',
  axes: { log: 'log', linear: 'lineáris' },
  wavelength: 'λ, token/fordulat',
  tokens: 'tokenek',
  context: (tokens) => `kontextus ${integer(tokens)}`,
  distance: (tokens) => `távolság ${integer(tokens)}`,
  still: 'áll: alig mozdult',
  blurred: 'elmosódott: túl sok kör',
  turn: 'egy fordulat',
  openPairs: (open, all, context) =>
    `${integer(all)} mutatóból ${integer(open)} sosem ér körbe ${integer(context)} token alatt: pontozva.`,
  label: 'Frekvenciapár',
  pair: (pair, wavelength, query, key) =>
    `${integer(pair)}. pár, λ ${wavelength} token: a lekérdezés ${query}, a kulcs ${key} fordulatot tett meg`,
  none: 'nincs kiválasztott pár',
  table: 'párok',
  columns: ['pár', 'λ (token)', 'θ', 'lekérdezés (rad)', 'kulcs (rad)'],
} satisfies Messages
