import { expect, it } from 'vitest'
import { changeKey } from '../state/change'
import type { Shown } from '../state/runs.svelte'
import { runCommand } from './command'

const shown = (text: string, changed = ''): Shown =>
  ({
    text,
    changed,
    model: { info: { name: 'roformer-english', num_hidden_layers: 2, num_attention_heads: 2 } },
    head: { layer: 1 },
  }) as unknown as Shown

it('runs the text', () => {
  expect(runCommand(shown('a dog'), ['attentions'])).toBe(
    "ropescope run --model models/roformer-english --text 'a dog' --taps attentions --output layer-1.safetensors",
  )
})

it('takes any text as one word of a shell', () => {
  expect(runCommand(shown(`it's $(x)`), ['attentions'])).toContain(`--text 'it'\\''s $(x)' `)
})

it('changes in the model what was changed', () => {
  const changed = changeKey({
    offset: 5,
    stop: [{ layer: 1, head: null, pairs: [0, 1, 4] }],
    cut: [{ layer: null, head: null, pairs: [3] }],
    off: [{ layer: 0, head: 1 }],
  })
  expect(runCommand(shown('a', changed), ['query', 'key'])).toContain(
    '--position-offset 5 --stop-pairs 1.0:0-1,1.0:4-4,1.1:0-1,1.1:4-4 --cut-pairs 0.0:3-3,0.1:3-3,1.0:3-3,1.1:3-3 --heads-off 0.1 --taps query,key',
  )
})
