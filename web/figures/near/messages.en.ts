import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, headName } from '../../i18n/numbers'
import { quote } from '../../i18n/rich'

interface Model {
  model: string
  layer: number
  head: number
  query: { token: string }
  key: { token: string }
}

const short = (value: number) => decimal(value, 2)

/** Of the arrow at a distance: lengths as parts of the longest possible, the angle in degrees. */
interface ArrowFacts {
  distance: number
  length: number
  along: number
  near: number
  round: number
  hands: number
  angle: number
}

const en = {
  help: 'The paper’s bound, the sum of cosines, the score of one q and k, and the smallest base for a context. Bold: the ruler’s RoPE.',
  source: `Section 3.4.3, equations 35 to 37 and figure 2 of the paper (Su et al. 2021, arXiv 2104.09864). The bound is a mean of |S|; cosines are divided by their number; the score is q·k. Only another seed draws new vectors. The smallest base is the first, going up by a tenth of a per cent, whose sum of cosines is nowhere negative within the context (Men et al. 2024, arXiv 2405.14591); larger ones may fail again.`,
  curve: 'curve',
  curves: { arrow: 'hands', bound: 'bound', cosines: 'Σ cos', score: 'score', base: 'smallest base' },
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
  leastOf: (all: readonly string[]) => `Smallest base by length of the context, in tokens – ${all.join('; ')}.`,
  seed: 'draw again',
  finest: ({ f16, bf16, f32 }: { f16: number; bf16: number; f32: number }) =>
    `Pairs that turn by less in a token than one rounding of a table in f16: ${integer(f16)}, bf16: ${integer(bf16)}, f32: ${integer(f32)}.`,
  label: 'Distance of the cursor',
  value: (distance: number, values: string) => `distance ${integer(distance)}: ${values}`,
  helpOfArrow:
    'One hand a pair, upright at first, turned by the distance. The green arrow is their mean. Drag the distance.',
  helpOfModel: ({ model, layer, head, query, key }: Model) =>
    `The pairs of ${headName({ layer, head })} of ${model}: query ${quote(query.token)}, key ${quote(key.token)}. A hand has the length |q||k| and starts at the angle between both at the same position. The green arrow is their mean.`,
  hands: 'hands',
  handsOf: { alike: 'all alike', model: (head: Model) => `of ${headName(head)}` },
  between: 'tokens apart',
  arrowLength: 'length of the arrow',
  onDial: (hands: number, distance: number) => `${integer(hands)} hands, ${integer(distance)} apart`,
  near: (angle: number) => `within ${integer(angle)}°`,
  round: 'past one turn',
  ofHands: (hands: number) => `how far ${integer(hands)} hands have turned`,
  distanceOf: (distance: number) => `${integer(distance)} apart`,
  within: (near: number, hands: number, angle: number): readonly string[] => [
    `${integer(near)} of ${integer(hands)}`,
    `within ${integer(angle)}°`,
  ],
  three: 'Three distances',
  arrow: ({ distance, length, along, near, round, hands, angle }: ArrowFacts) =>
    `${integer(distance)} apart: the arrow is ${short(length)} long. Its upright part, ${short(along)}, is the score. Of ${integer(hands)} hands ${integer(near)} have turned by at most ${integer(angle)}°, ${integer(round)} have completed a turn.`,
  table: 'by distance',
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
