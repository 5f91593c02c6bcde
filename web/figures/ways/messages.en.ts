import { facts } from '../../i18n/facts'
import { messages } from '../../i18n/messages.svelte'
import { decimal, integer } from '../../i18n/numbers'

const en = {
  help: 'Eight tokens, the same weights. Each term by itself, their sum, and what moving all tokens changes; then RoPE, where nothing changes. Rows are queries (blue), columns keys (orange).',
  source: `Equations as in the chapter, in double precision; compared with a NumPy script of the published equations (tests/golden/generate_positions.py). What is counted: tables have ${integer(facts.learnt.positions)} places, distances are clipped to half of that; Shaw’s row for each query and key (Shaw et al. 2018, section 3.3) is that of keys alone; Transformer-XL’s and DeBERTa’s products with each distance (Dai et al. 2019, appendix B; He et al. 2020, algorithm 1); a number for each head, query and key of T5, TUPE and ALiBi.`,
  way: 'way',
  names: ['none', 'sinusoidal', 'learnt table', 'Shaw', 'Transformer-XL', 'T5', 'TUPE', 'DeBERTa', 'ALiBi', 'RoPE'],
  terms: {
    content: 'content · content',
    toPlace: 'content · place',
    ofPlace: 'place · content',
    places: 'place · place',
    toDistance: 'content · distance',
    ofDistance: 'distance · content',
    any: 'any · content',
    anyDistance: 'any · distance',
    bucket: 'number of the bucket',
    penalty: 'penalty',
    rotated: 'turned query · turned key',
    sum: 'sum',
    moved: 'change of the sum',
  },
  ropeName: 'RoPE',
  same: (zero: string) => `${zero} everywhere`,
  first: 'first token at',
  at: (position: number) => integer(position),
  holds: 'Moved, the map stays as it was.',
  changes: (by: number) => `Moved, a score changes by up to ${decimal(by, 2)}.`,
  ends: (table: number) => `The table has ${integer(table)} rows: beyond them there is no score.`,
  costs: 'what each way learns and holds',
  counted: `Numbers learnt, and held beside them while ${integer(facts.learnt.positions)} tokens are read: ${integer(facts.learnt.heads)} heads of ${integer(facts.learnt.headSize)}.`,
  costColumns: ['way', 'learns in a layer', 'learns for all layers', 'holds in a layer', 'holds for all layers'],
  none: 'nothing there',
  table: 'scores',
  columns: ['query', 'key', 'here', 'moved'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
