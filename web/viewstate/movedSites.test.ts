import { expect, it } from 'vitest'
import type { PartName } from '../engine/protocol/parts'
import { difference } from '../text/edit'
import { readPair, type Reading } from '../text/reading'
import { explanationView } from './choice'
import { movedSites } from './movedSites'

/** A word is a token, between [CLS] and [SEP]. */
function encode(text: string): Reading {
  const words = [...text.matchAll(/\S+/g)]
  const tokens = ['[CLS]', ...words.map(([word]) => word), '[SEP]']
  return {
    ids: Uint32Array.from(tokens.keys()),
    tokens,
    display: tokens,
    spans: [null, ...words.map(({ index, 0: word }) => ({ start: index, end: index + word.length })), null],
    before: 1,
    after: 1,
    truncated: false,
  }
}

const { param } = explanationView

function moved(
  path: string,
  numbers: Parameters<typeof movedSites>[0]['numbers'],
  from: string,
  to: string,
  part?: PartName,
) {
  const read = (text: string) => (part ? readPair({ encode }, text, 64, { id: 0, display: '<s>' }, part) : encode(text))
  const edited = { edit: difference(from, to), before: read(from), now: read(to) }
  return movedSites({ numbers, viewParams: { [param]: path, 'map.kind': 'rotation' } }, edited)
}

it('moves rows, queries and keys with their tokens, and no head or column', () => {
  // [CLS] the cat sat [SEP] → [CLS] the old cat sat [SEP]
  expect(
    moved(
      'attentions.1[2,2,1];layer.0.residual[3,2];logits[4,3];probabilities[0,2];embeddings.word.weight[2,2]',
      ['layer.1.residual[2,2]=5', 'ffn.0[*,3]=1', 'layer.*.head[2,3,2]=0', 'embeddings[1,2]=1'],
      'the cat sat',
      'the old cat sat',
    ),
  ).toEqual({
    viewParams: {
      [param]: 'attentions.1[2,3,1];layer.0.residual[4,2];logits[5,3];probabilities[0,2];embeddings.word.weight[2,2]',
      'map.kind': 'rotation',
    },
    numbers: ['layer.1.residual[3,2]=5', 'ffn.0[*,3]=1', 'layer.*.head[2,4,2]=0', 'embeddings[1,2]=1'],
  })
})

it('leaves what does not move as it is', () => {
  expect(moved('layer.0.residual[1,2]', ['ffn.0[1,3]=1'], 'the cat', 'the cat sat')).toEqual({})
  expect(moved('', [], 'the cat', 'old the cat')).toEqual({})
  // A token that is gone, a row beyond the text, and contacts, which count residues.
  expect(moved('layer.0.residual[2,2]', [], 'the cat sat', 'the dog sat')).toEqual({})
  expect(moved('layer.0.residual[2,2];logits[9,1]', [], 'the cat sat', 'the sat')).toEqual({})
  expect(moved('contacts[2,3]', [], 'the cat sat', 'the old cat sat')).toEqual({})
})

it('moves rows of the part that is shown', () => {
  const [from, to] = ['one two\tthe cat', 'one and two\tthe cat']
  const path = 'encoder.layer.0.query[0,2,1];decoder.layer.0.residual[2,1];cross_attentions.0[0,2,2]'
  const pathOf = (part: PartName) => moved(path, ['layer.0.residual[2,1]=3'], from, to, part).viewParams?.[param]
  expect(pathOf('encoder')).toBe('encoder.layer.0.query[0,3,1];decoder.layer.0.residual[2,1];cross_attentions.0[0,2,3]')
  expect(pathOf('decoder')).toBeUndefined()
  expect(pathOf('cross')).toBe('encoder.layer.0.query[0,3,1];decoder.layer.0.residual[2,1];cross_attentions.0[0,2,3]')
  // The start token stays the first.
  expect(moved('decoder.layer.0.residual[0,1];decoder.layer.0.residual[1,1]', [], from, to, 'cross')).toEqual({})
  const grown = moved(
    'decoder.layer.0.residual[2,1]',
    ['layer.0.residual[2,1]=3'],
    from,
    'one two\tthe old cat',
    'decoder',
  )
  expect(grown).toMatchObject({ numbers: ['layer.0.residual[3,1]=3'] })
})
