import { facts } from '../../i18n/facts'
import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, plural } from '../../i18n/numbers'

const pairsText = (count: number) => `${integer(count)} ${plural(count, { one: 'pair', other: 'pairs' })}`

const en = {
  help: 'Frequencies: 1 is unchanged, the bottom is divided by the full factor. Shaded: pairs that complete no turn within the context.',
  source: `Each method as its paper or transformers’ modeling_rope_utils.py has it; src/rope/stretched.rs. The table has the magnitudes (attention factors). LongRoPE: the factors of Phi-3-mini-128k’s config.json, which fit heads of ${integer(facts.phi3.headSize)}. The clamp lets no distance count for more than a quarter of the context, as in the results that ReRoPE’s repository gives for Llama 2; its code multiplies by log-n as well. Log-n multiplies scores beyond the context by ln(position + 1) / ln(context). Scores are the mean over the pairs of a query and a key that are equal in every pair. Dials: the shaded angles are those that a pair reaches within the context, the ring those in the longer text, bold and in colour where they are new.`,
  ways: {
    trained: 'as trained',
    interpolation: 'interpolation',
    ntk: 'NTK-aware',
    dynamic: 'dynamic, at its end',
    yarn: 'YaRN, paper',
    yarnCode: 'YaRN, code',
    llama: 'Llama 3.1',
    partial: 'partial',
    proportional: 'proportional',
    longrope: 'LongRoPE (Phi-3)',
    clamp: 'clamp (ReRoPE)',
    logn: 'log-n',
  },
  factor: 'times as long',
  times: (factor: number) => `${integer(factor)} ×`,
  waysLabel: 'Methods',
  quantity: 'What is drawn',
  quantities: { ratio: 'frequencies', wavelength: 'wavelengths', score: 'scores', dials: 'dials' },
  dials: (way: string, pairs: number) =>
    `${way}: ${integer(pairs)} ${plural(pairs, { one: 'pair reaches', other: 'pairs reach' })} new angles`,
  wavelength: 'λ, tokens for one turn',
  distance: 'distance (tokens)',
  score: 'score of equal vectors',
  context: 'context',
  unchanged: 'frequencies stay',
  searched: (least: number, most: number) =>
    `divides each pair by a factor of its own, ${decimal(least, 2)} to ${decimal(most, 2)}`,
  ratio: 'θ after / before',
  unturned: (pairs: number) => `${integer(pairs)} pairs do not turn once in the context`,
  counts: (unchanged: number, blended: number, divided: number) =>
    `keeps ${pairsText(unchanged)}, blends ${integer(blended)}, divides ${integer(divided)}`,
  still: (pairs: number) => `${pairsText(pairs)} ${plural(pairs, { one: 'stands', other: 'stand' })} still`,
  table: 'θ after over θ before',
  magnitude: 'magnitude',
  pair: 'pair · tokens for one turn (λ)',
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
