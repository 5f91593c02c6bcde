import { integer } from '../numbers'
import { sentence, variable } from '../rich'

/** A curve's values where it begins, ends and is lowest, as they are written. */
interface Course {
  label: string
  first: string
  last: string
  end: number
  /** Undefined where it is lowest at its end. */
  lowest: { at: number; value: string } | undefined
}

export const decay = {
  title: 'Long-term decay',
  lead: 'How strongly two tokens can match at most, by how far apart they are: the paper’s bound.',
  source: sentence`RoFormer (Su et al. 2021, arXiv 2104.09864), section 3.4.3, equations 35 to 37 and figure 2; ${variable('d')} = 128 is from the author’s code. The printed figure cuts off what lies above about 22: at distance 0 the bound is (${variable('d')}/2 + 1)/2.`,
  table: 'The bound at every distance',
  distance: 'distance',
  label: 'Bound against relative distance',
  across: 'relative distance (tokens)',
  up: 'relative upper bound',
  at: (distance: number) => `distance ${integer(distance)}`,
  curve: { figure: 'figure 2', model: 'this model', yours: 'yours' },
  /** A curve's name with what it depends on. */
  named: (name: string, headSize: number, base: number | undefined) =>
    `${name}: d = ${integer(headSize)}${base === undefined ? '' : `, base ${integer(base)}`}`,
  /** It need not fall steadily. */
  course: ({ label, first, last, end, lowest }: Course) => {
    const course = `${label}: ${first} at distance 0, ${last} at ${integer(end)}`
    return lowest ? `${course}; lowest at ${integer(lowest.at)}, ${lowest.value}.` : `${course}, its lowest.`
  },
  headSize: 'head size d',
  base: 'base',
  largest: 'largest distance',
  tokens: (distance: number) => `${integer(distance)} tokens`,
  proves:
    'What is proved is a ceiling: no score exceeds this curve times a factor of the two tokens’ contents, and the curve is lower, on the whole, for tokens far apart. What is not proved is that attention fades with distance: the curve ripples, real queries and keys need not come near it, and a head can have its strongest match at any distance.',
}
