import { messages } from '../../i18n/messages.svelte'
import { decimal, integer } from '../../i18n/numbers'

const en = {
  help: 'The rows that are added, two of their dimensions as curves, what they make of one random row; below, cosines of random rows.',
  source: `Equation 4 of the paper (Su et al. 2021, arXiv 2104.09864); a cosine of 1 is the direction of the row without a position. The learnt table is of a published model, sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), rounded to 8 bits by training/learned_table.py; the random row is as long as its word embeddings are on average. The whole colour stands for three times the mean magnitude and more.`,
  kind: 'What is added',
  kinds: { sinusoids: 'sinusoids', learned: 'a learnt table' },
  learned: (model: string, dimensions: number, of: number, rows: number) =>
    `${model}: ${integer(dimensions)} of its ${integer(of)} dimensions, ${integer(rows)} rows and no more.`,
  rows: 'dimension',
  positions: 'position',
  pair: 'two dimensions as curves',
  dimension: (sine: number, cosine: number) => `${integer(sine)}, ${integer(cosine)}`,
  single: (sine: number, cosine: number) =>
    `dimensions ${integer(sine)} (sine) and ${integer(cosine)} (cosine, dashed)`,
  both: (one: number, other: number) => `dimensions ${integer(one)} and ${integer(other)} (dashed)`,
  norm: 'length of the sum',
  cosine: 'cosine to the row alone',
  without: (norm: number) => `alone ${decimal(norm, 2)}`,
  random: 'cosines of random rows',
  dimensions: (count: number) => `${integer(count)} dimensions`,
  table: 'a row with each position added',
  columns: ['position', 'length', 'cosine'],
  label: 'Position that is added',
  value: (position: number, norm: number, cosine: number) =>
    `position ${integer(position)}: length ${decimal(norm, 2)}, cosine ${decimal(cosine, 2)}`,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
