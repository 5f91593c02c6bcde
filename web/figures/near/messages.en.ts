import { messages } from '../../i18n/messages.svelte'
import { integer } from '../../i18n/numbers'

const en = {
  help: 'The paper’s ceiling, the sum of cosines, the score of one q and k, and the smallest base for a context. Strong: the ruler’s rope.',
  source: `Section 3.4.3, equations 35 to 37 and figure 2 of the paper (Su et al. 2021, arXiv 2104.09864). The bound is a mean of |S|; cosines are divided by their number; the score is q·k. A row is drawn anew only by its seed. The smallest base is the first, going up by a tenth of a per cent, whose sum of cosines is nowhere negative within the context (Men et al. 2024, arXiv 2405.14591); larger ones may fail again.`,
  curve: 'curve',
  curves: { bound: 'bound', cosines: 'Σ cos', score: 'score', base: 'smallest base' },
  up: { bound: 'relative upper bound', cosines: 'mean of cos mθᵢ', score: 'q·k' },
  alike: 'all pairs equally fast',
  aligned: 'aligned at',
  reach: 'as far as',
  tokens: (tokens: number) => `${integer(tokens)} tokens`,
  distance: 'distance (tokens)',
  rope: (size: number, base: number) => `d ${integer(size)}, base ${integer(base)}`,
  ofModel: 'the head’s own',
  crossing: (tokens: number) => `negative first at ${integer(tokens)}`,
  noCrossing: (limit: number) => `nowhere negative up to ${integer(limit)}`,
  context: 'context (tokens)',
  base: 'base',
  leastBase: 'smallest base',
  leastOf: (all: readonly string[]) => `Smallest base for a context of so many tokens – ${all.join('; ')}.`,
  seed: 'draw anew',
  finest: ({ f16, bf16, f32 }: { f16: number; bf16: number; f32: number }) =>
    `Pairs that turn by less in a token than one rounding of a table in f16: ${integer(f16)}, bf16: ${integer(bf16)}, f32: ${integer(f32)}.`,
  label: 'Distance that is read',
  value: (distance: number, values: string) => `distance ${integer(distance)}: ${values}`,
  table: 'by distance',
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
