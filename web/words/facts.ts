// Numbers that texts name. They are computed: facts.json by tests/read_facts.rs, losses by training/compare_positions.py.
import { summary } from '../../training/results/positions.json'
import { examples } from '../state/examples'
import facts from './facts.json'

const example = (id: string) => examples.find((one) => one.id === id) ?? examples[0]
const apart = (id: string) => example(id).query - example(id).key

export { facts }

/** Of three kinds of positions trained alike: losses by row length; null: the kind has no such position. */
export const trained = summary

/** Tokens between “deep” and “learning” in the two sentences. */
export const deep = { near: apart('near'), far: apart('far') }
