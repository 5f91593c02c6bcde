import { messages } from '../../i18n/messages.svelte'
import { decimal, integer } from '../../i18n/numbers'

const en = {
  help: 'Above: what positions add, and two dimensions of it as curves. Below: the effect of adding it to one random vector.',
  source: `Equation 4 of the paper (Su et al. 2021, arXiv 2104.09864); a cosine of 1 is the direction of the vector without a position. The learnt table is of a published model, sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), rounded to 8 bits by training/learned_table.py; the random vector is as long as its word embeddings are on average. The full colour means three times the mean magnitude or more.`,
  kind: 'What is added',
  kinds: { sinusoids: 'sinusoids', learned: 'a learnt table' },
  learned: (model: string, dimensions: number, of: number, rows: number) =>
    `${model}: ${integer(dimensions)} of its ${integer(of)} dimensions, ${integer(rows)} rows and no more.`,
  rows: 'what is added: position →, dimension ↓, green +, magenta −',
  positions: 'position',
  pair: 'dimensions',
  dimension: (sine: number, cosine: number) => `${integer(sine)}, ${integer(cosine)}`,
  single: (sine: number, cosine: number) =>
    `dimensions ${integer(sine)} (sine) and ${integer(cosine)} (cosine, dashed)`,
  both: (one: number, other: number) => `dimensions ${integer(one)} and ${integer(other)} (dashed)`,
  norm: (position: number, norm: number) => `length of the sum: ${decimal(norm, 2)} at position ${integer(position)}`,
  cosine: (position: number, cosine: number) =>
    `direction, cosine to the vector alone: ${decimal(cosine, 2)} at position ${integer(position)}`,
  without: (norm: number) => `alone ${decimal(norm, 2)}`,
  random: 'cosines of random vectors: smaller in more dimensions',
  dimensions: (count: number) => `${integer(count)} dimensions`,
  table: 'a vector with each position added',
  columns: ['position', 'length', 'cosine'],
  label: 'Position that is added',
  value: (position: number, norm: number, cosine: number) =>
    `position ${integer(position)}: length ${decimal(norm, 2)}, cosine ${decimal(cosine, 2)}`,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
