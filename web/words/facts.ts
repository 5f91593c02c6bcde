// Numbers that texts name. They are computed: facts.json by tests/read_facts.rs, losses by training/compare_positions.py and measure_lengths.py.
import { context, losses, tokens } from '../../training/results/lengths.json'
import { args, summary } from '../../training/results/positions.json'
import { examples } from '../state/examples'
import facts from './facts.json'

const example = (id: string) => examples.find((one) => one.id === id) ?? examples[0]
const apart = (id: string) => example(id).query - example(id).key

export { facts }

/** Of three kinds of positions trained alike: losses by row length; null: the kind has no such position. */
export const trained = summary

/** How they were trained. */
export const training = {
  layers: args.layers,
  heads: args.heads,
  steps: args.steps,
  seeds: args.seeds.length,
  tokens: args.lengths[0] ?? NaN,
  longest: Math.max(...args.read_lengths),
}
export type Training = typeof training

/** The bundled model beyond its length: its loss by ways and times its length, each over so many masked tokens. */
export const beyond = { context, losses, tokens }

/** Tokens between “deep” and “learning” in the two sentences. */
export const deep = { near: apart('near'), far: apart('far') }
