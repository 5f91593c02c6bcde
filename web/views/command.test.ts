import { expect, test } from 'vitest'
import { interventionsText } from '../session/interventions'
import type { Run } from '../session/runs.svelte'
import { explainCommand, fillMaskCommand, neuronsCommand, runCommand } from './command'
import type { Reading } from '../text/reading'

const info = {
  max_position_embeddings: 4,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  head_size: 16,
  hidden_size: 32,
  intermediate_size: 64,
  weights: { format: 'f32', bytes: 1 },
}
const run = (text: string, interventions = '', reading = { ids: new Uint32Array(4) } as Reading) =>
  ({ model: { source: { kind: 'url', name: 'roformer-english' }, info }, text, reading, interventions }) as Run

test('a text is quoted as a shell takes it', () => {
  expect(runCommand(run("the dog's $HOME"), ['attentions'])).toBe(
    `ropescope run --model models/roformer-english --text 'the dog'\\''s $HOME' --taps attentions --output out.safetensors`,
  )
})

test('a text is never taken for an option or for standard input', () => {
  const command = (text: string) => runCommand(run(text), [])
  expect(command('-5 degrees')).toContain(" --text='-5 degrees' ")
  expect(command('--help')).toContain(' --text=--help ')
  expect(command('-')).toMatch(/^printf %s - \| ropescope run .* --text - /)
})

test('weights that are packed are told', () => {
  const { model, ...rest } = run('cat')
  const packed = { ...rest, model: { ...model, info: { ...model.info, weights: { format: 'int8', bytes: 1 } } } } as Run
  expect(runCommand(packed, [])).toContain('--text cat --weights int8 --output')
})

test('what is changed in the model is told, head by head', () => {
  const interventions = interventionsText({
    offset: 7,
    frozen: [{ layer: 1, head: 1, pairs: [0, 1, 2, 5] }],
    ablated: [{ layer: 0, head: null, pairs: [3] }],
    ablatedHeads: [{ layer: 1, head: 0 }],
  })
  expect(runCommand(run('cat', interventions), ['attentions', 'query'])).toBe(
    'ropescope run --model models/roformer-english --text cat --position-offset 7 --freeze-pairs 1.1:0-2,1.1:5 --ablate-pairs 0.0:3,0.1:3 --ablate-heads 1.0 --taps attentions,query --output out.safetensors',
  )
})

test('so is what is changed in the model as a whole, and by what heads are replaced', () => {
  const interventions = interventionsText({
    ablatedHeads: [{ layer: 1, head: 0 }],
    headReplacement: 'mean',
    scaling: '{"factor": 2}',
    rotaryValue: true,
    rotatesValues: true,
    logN: 512,
    distanceClamp: 0,
    attention: 'linear_rotate_first',
  })
  expect(runCommand(run('cat', interventions), [])).toBe(
    `ropescope run --model models/roformer-english --text cat --ablate-heads-mean 1.0 --rope-scaling '{"factor": 2}' --rotary-value --rove --log-n 512 --rerope 0 --attention linear-rotate-first --output out.safetensors`,
  )
})

test('so are neurons that are off, and numbers in tensors', () => {
  const interventions = interventionsText({
    neuronsOff: [
      { layer: 1, neuron: 17 },
      { layer: 0, neuron: null },
    ],
    numbers: ['hidden_states.2[3,17]=-0.5', 'ffn.*[0,3]=1'],
  })
  const options = `--neurons-off 1.17,0 --intervene 'hidden_states.2[3,17]=-0.5' --intervene 'ffn.*[0,3]=1'`
  expect(runCommand(run('cat', interventions), [])).toBe(
    `ropescope run --model models/roformer-english --text cat ${options} --output out.safetensors`,
  )
  expect(explainCommand(run('cat', interventions), 'logits[1,2]')).toBe(
    `ropescope explain --model models/roformer-english --text cat ${options} --at 'logits[1,2]'`,
  )
})

test('tokens are those of the run: a text that is longer than the model, its beginning alone, a source with its text', () => {
  const long = { ids: Uint32Array.of(1, 2, 3, 4, 5), truncated: false } as Reading
  expect(runCommand(run('cat', '', long), [])).toContain(' --text cat --beyond-length ')
  expect(runCommand(run('cat', '', { ...long, truncated: true }), [])).toContain(" --ids '1,2,3,4,5' --beyond-length ")
  const pair = { part: 'cross', source: Uint32Array.of(7), text: Uint32Array.of(8, 9) } as const
  expect(runCommand(run('cat', '', { ...long, ids: pair.text, pair }), [])).toContain(" --ids 7 --decoder-ids '8,9' ")
  const neurons = neuronsCommand(
    run('cat', '', { ...long, ids: pair.source, pair: { ...pair, part: 'encoder' } }),
    1,
    2,
  )
  expect(neurons).toBe(
    "ropescope neurons --model models/roformer-english --ids 7 --decoder-ids '8,9' --part encoder --layer 1 --row 2 --top 10",
  )
  expect(neuronsCommand(run('cat', interventionsText({ offset: 5 })), 0, 3)).toMatch(
    / --text cat --position-offset 5 --layer 0 --row 3 --top 10$/,
  )
  expect(fillMaskCommand(run('cat', interventionsText({ logN: 4 })), 3)).toMatch(/ --text cat --log-n 4 --top-k 3$/)
})
