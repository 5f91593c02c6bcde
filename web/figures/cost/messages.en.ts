import { training } from '../../i18n/facts'
import { messages } from '../../i18n/messages.svelte'
import { integer } from '../../i18n/numbers'

const en = {
  get help() {
    return `Loss on a book that no model has read, by text length. All were trained on ${integer(training.tokens)} tokens.`
  },
  get source() {
    const { layers, heads, steps, seeds } = training
    return `training/compare_positions.py: ${integer(layers)} layers of ${integer(heads)} heads, ${integer(steps)} steps, ${integer(seeds)} seeds each; bars from the least to the most.`
  },
  kinds: { rotary: 'rotary', sinusoidal: 'sinusoidal', learned: 'learnt table' },
  choice: 'kinds',
  all: 'all three',
  across: 'tokens of a text',
  up: 'loss (nats)',
  trainedAt: 'trained length',
  ends: 'ends here',
  counts: 'multiplications for one vector',
  table: 'loss by text length',
  columns: ['kind', 'tokens', 'mean', 'least', 'most'],
  costColumns: ['head size', 'as a matrix', 'pair by pair'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
