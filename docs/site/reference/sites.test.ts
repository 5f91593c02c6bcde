// docs/reference/sites.md, from the engine's list of sites and its table of interventions.
import { expect, it } from 'vitest'
import { numberTensors, taps, tapsBySite, tensors } from '../../../web/engine/protocol/siteNames'
import type { TensorName } from '../../../web/engine/protocol/site'
import { code, page, renewed, table } from './markdown'
import { interventions, replacements } from './replacements'
import { tensorMeanings } from './tensors'

const names = Object.keys(tensors) as TensorName[]

const bySite: readonly TensorName[] = tapsBySite
const tapOf = (tensor: TensorName) => {
  const name = Object.entries(taps).find(([, one]) => one === tensor)?.[0]
  if (name) return code(name)
  return bySite.includes(tensor) ? 'by its site' : ''
}

it('a shape has a size for each axis', () => {
  for (const name of names) expect(tensorMeanings[name].shape, name).toHaveLength(tensors[name].length)
})

it('the page of sites lists every tensor with its shape, axes and tap, and every intervention', async () => {
  expect(interventions.length).toBeGreaterThan(0)
  expect(replacements.length).toBeGreaterThan(0)
  const markdown = page([
    '# Sites',
    'A site is a place in a forward pass: a tensor, and an index into it. Activation files, taps and interventions name it alike, on the command line, in the package and on the page.',
    table(
      ['site', 'is'],
      [
        ['`attentions.2`', 'the attention weights of layer 2, of all heads'],
        ['`attentions.2[6,9,8]`', 'of layer 2, head 6, query 9, key 8'],
        ['`layer.*.value`', 'the values of every layer'],
        ['`layer.2.query.rotated[6,*,p0-3]`', 'of layer 2, head 6, all rows: the columns of pairs 0 to 3'],
      ],
    ),
    'Everything counts from 0. An index has an entry for each axis: a number, `*` for all, or pairs of columns as `p3` and `p0-3`. Without an index the site is all of the tensor.',
    'The names of an encoder–decoder begin with the part: `encoder_attentions.0`, `decoder_hidden_states.2`, `cross_attentions.1`, and with a dot where Hugging Face has no such name, `encoder.layer.0.query`. Cross-attention has no rotation and no feed-forward network of its own, and the decoder’s list counts its norms: a run keeps its queries, keys, values, scores, weights, head outputs, and its term in the residual stream, `cross.layer.0.attention`.',
    '## Tensors',
    'N is a layer, and K one of its norms, in the order in which they are computed. The first layer of a ModernBERT has one less. In a decoder with a source the norm of cross-attention is in between. A run keeps the tensors that have a tap, under a short name for all layers or by the site, as `ffn.3.inner`. Not every model has each of them: a gate, a final norm, more than two norms in a layer, the mean of an RMS norm, the softmax that linear attention does without, or logits of each token. A file and the package have one more axis in front, the texts; of the keys and values of cross-attention the sources.',
    table(
      ['tensor', 'axes', 'shape', 'tap', 'meaning'],
      names.map((name) => {
        const { shape, meaning } = tensorMeanings[name]
        return [code(name), tensors[name].join(', '), shape.join(' × '), tapOf(name), meaning]
      }),
    ),
    '## Taps',
    '`ropescope run --taps attentions,query` writes the tensors of these taps in every layer. `run` of the package takes the same names, but for `contacts`; sites are taps on the command line and in the library.',
    table(
      ['tap', 'tensors'],
      Object.entries(taps).map(([tap, tensor]) => [code(tap), code(tensor)]),
    ),
    '## Interventions',
    'An intervention is a site and what replaces it there, as `layer.2.head[6,*,*]=mean`. It covers every row (token) of the text; a head’s output and a number can be replaced in one row, as `layer.2.head[6,3,*]=zero`; rows count padding. `--intervene` of the command line takes any of them.',
    table(['site', 'replacement', 'what it does'], interventions),
    `Numbers, and \`zero\` as the number 0, go to ${numberTensors.map(code).join(', ')}, as \`hidden_states.2[4,17]=-0.5\`. Queries, keys and values are those before rotation. \`ffn.N\` is what the output projection of a feed-forward network reads: \`ffn.2[*,17]=zero\` switches neuron 17 off, and \`ffn.2[*,*]=zero\` all of them. Without its neurons a network still adds the bias of that projection. These interventions are for encoder–decoders, too, and all are of the decoder.`,
    '## Replacements',
    table(['replacement', 'the new content of the site'], replacements),
  ])
  await expect(markdown, renewed).toMatchFileSnapshot('../../reference/sites.md')
})
