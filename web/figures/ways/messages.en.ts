import { facts } from '../../i18n/facts'
import { messages } from '../../i18n/messages.svelte'
import { decimal, integer } from '../../i18n/numbers'

const en = {
  help: 'Eight tokens, the same weights. Each term by itself, their sum, and what moving all tokens changes; then RoPE, where nothing changes. Rows are queries (blue), columns keys (orange).',
  source: `Equations as in the chapter, in double precision; compared with a NumPy script of the published equations (tests/golden/generate_positions.py). What is counted: tables have ${integer(facts.learnt.positions)} positions, and distances are clipped to half of that. For Shaw et al. (2018, section 3.3) it is the vector of keys for each query and key. For Transformer-XL and DeBERTa it is the products with each distance (Dai et al. 2019, appendix B; He et al. 2020, algorithm 1). For T5, TUPE and ALiBi it is a number for each head, query and key.`,
  way: 'method',
  names: ['none', 'sinusoidal', 'learnt table', 'Shaw', 'Transformer-XL', 'T5', 'TUPE', 'DeBERTa', 'ALiBi', 'RoPE'],
  terms: {
    content: 'content · content',
    toPlace: 'content · position',
    ofPlace: 'position · content',
    places: 'position · position',
    toDistance: 'content · distance',
    ofDistance: 'distance · content',
    any: 'any · content',
    anyDistance: 'any · distance',
    bucket: 'number of the bucket',
    penalty: 'penalty',
    rotated: 'rotated query · rotated key',
    sum: 'sum',
    moved: 'change of the sum',
  },
  ropeName: 'RoPE',
  same: (zero: string) => `${zero} everywhere`,
  first: 'first token at',
  at: (position: number) => integer(position),
  holds: 'After the move the map is the same.',
  changes: (by: number) => `After the move a score changes by up to ${decimal(by, 2)}.`,
  ends: (table: number) => `The table has ${integer(table)} rows: beyond them there is no score.`,
  costs: 'numbers that each method learns and stores',
  counted: `Numbers that each method learns, and numbers that it stores in addition while it reads ${integer(facts.learnt.positions)} tokens, for ${integer(facts.learnt.heads)} heads of ${integer(facts.learnt.headSize)}.`,
  costColumns: ['method', 'learns in a layer', 'learns for all layers', 'stores in a layer', 'stores for all layers'],
  none: 'nothing there',
  table: 'scores',
  columns: ['query', 'key', 'here', 'moved'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
