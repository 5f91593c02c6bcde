// Numbers that texts name. They are computed: facts.json by tests/engine/read_facts.rs, losses by training/compare_positions.py and measure_lengths.py.
import { context, gains, losses, tokens } from '../../training/results/lengths.json'
import { args as search, factors } from '../../training/results/longrope.json'
import { args, summary } from '../../training/results/positions.json'
import facts from './facts.json'

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

/** The bundled model beyond its length: its loss by ways and times its length, each over so many masked tokens. */
export const beyond = { context, losses, tokens }

/** LongRoPE's factors for it, found by training/search_factors.py; what they take off the loss that its magnitude leaves alone. */
export const searched = { tries: search.tries, least: Math.min(...factors), most: Math.max(...factors), gains }

/** What links of the chapters set (web/pages/read/chapters.ts), where their words name it. */
export const set = {
  base: 100,
  largeHead: 256,
  near: { query: 1, key: 3 },
  farDistance: 400,
  largerBase: 500_000,
  aligned: 200,
  offset: 100_000,
  factor: 16,
  headSize: 128,
  first: 10,
} as const

/** What guesses ask about. */
export const guesses = {
  dimensions: [8, 64, 512],
  distance: { near: 1, far: 1000 },
  factor: 4,
  parts: [1, 2, 3, 4],
} as const

/** Tokens between “deep” and “learning” in the two sentences. */
export const deep = { near: 1, far: 12 }

/** Links from Read into the Explorer. Each names what it changes. */
export const mutedPairs = '#/explorer?open=mute'
export const byDistance = '#/explorer?open=distance'
/** Compares another rope scaling with the model's own. */
export const otherScaling = `#/explorer?open=compare&compare.with=change&scaling=${encodeURIComponent('{"rope_type":"linear","factor":4}')}`
