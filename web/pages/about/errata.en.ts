import { messages } from '../../i18n/messages.svelte'
import { sentence, stressed, sub, sup, variable, type Sentence } from '../../i18n/rich'

/** The common claim, the correction, and what follows the formula if there is one. */
interface Erratum {
  claim: Sentence
  right: Sentence
  after?: Sentence
}

const m = variable('mθ')
const n = variable('nθ')
const half = sub('d/2')

/** In the order of the page. */
const items = {
  sign: {
    claim: sentence`“The rotation matrix has its minus sign below the diagonal.”`,
    right: sentence`That rotates backwards. Position ${variable('m')} turns a pair by ${variable('+mθ')}:`,
  },
  periodic: {
    claim: sentence`“θ is a periodic function.”`,
    right: sentence`Each ${variable('θᵢ')} is a constant; together they are a falling geometric series, 10000${sup('−2i/d')}. What is periodic is the cosine and sine of ${variable('mθᵢ')} – with a period of 6.3 positions for the fastest pair and tens of thousands for the slowest.`,
  },
  product: {
    claim: sentence`“The product of two rotations contains cos ${m} cos ${n} − sin ${m} sin ${n}.”`,
    right: sentence`With a minus that is the cosine of the ${stressed('sum')} of the positions, and nothing relative is left. The transposed rotation reverses the sign:`,
  },
  score: {
    claim: sentence`“The score is xᵀ W R W x.”`,
    right: sentence`Two transposes and two positions are easily lost. In full:`,
  },
  fast: {
    claim: sentence`“The fast form ends in −x${sub('d−1')}, x${sub('d')}.”`,
    right: sentence`The vector that is multiplied by the sines swaps each pair and negates its first entry: it begins −x${sub('2')}, x${sub('1')} and ends −x${sub('d')}, x${sub('d−1')}.`,
  },
  added: {
    claim: sentence`“RoPE is added to the embeddings.”`,
    right: sentence`Nothing is added anywhere. RoFormer’s embeddings contain no position; in every layer, each head’s queries and keys are rotated, and (by default) its values are not. So shifting all positions alike changes no attention weight.`,
  },
  halves: {
    claim: sentence`“Pairs are (x₀, x${half}), (x₁, x${sub('d/2+1')}), …”`,
    right: sentence`In Llama and GPT-NeoX they are. RoFormer rotates neighbours: (x₀, x₁), (x₂, x₃), … Both give a relative score. The weights of one work with the other once the rows of their queries and keys are put in its order, as this page does when it reads them: here a pair is always two neighbours.`,
  },
  decay: {
    claim: sentence`“RoPE makes attention decay with distance.”`,
    right: sentence`The paper shows that one factor of an upper bound falls, and not steadily: its figure plots`,
    after: sentence`The score itself depends on query and key as well. A head can have its greatest score at any distance; in the first example here it is exactly one. With random queries and keys there is no decay at all.`,
  },
  linear: {
    claim: sentence`“With linear attention, rotate first, then apply the feature map.”`,
    right: sentence`The other way round: the rotation comes after the feature map, and the denominator is not rotated. Rotated before, the score depends on absolute positions again.`,
  },
  precision: {
    claim: sentence`“cos and sin can be computed anywhere.”`,
    right: sentence`Angles grow to thousands of radians. In half precision a table of them is no exact rotation any more, and shading languages guarantee little for large angles. Here the CPU computes them in double precision and rounds once.`,
  },
  neo: {
    claim: sentence`“GPT-Neo uses RoPE.”`,
    right: sentence`GPT-J and GPT-NeoX do. GPT-Neo learned a vector for each absolute position.`,
  },
} satisfies Record<string, Erratum>

export type ErratumId = keyof typeof items

const en = {
  title: 'What is often said of RoPE, and is wrong',
  items: Object.entries<Erratum>(items) as readonly [ErratumId, Erratum][],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./errata.{ko,hu}.ts'))
