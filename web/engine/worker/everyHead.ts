// Questions that walk all heads of a run: one head is held at a time, and whatever else is asked for goes in between.

import { heldRun, partOf, type AtWork, type HeldRun, type ModelAtWork, type Stream } from './atWork'
import { longestWalk, mapCorrelation, weightsByDistance } from '../protocol/byDistance'
import { isFailure } from '../protocol/failure'
import { infoOfPart, keysOfPart, mapOfPart, queriesOfPart } from '../protocol/parts'
import type { HeadByDistance } from '../protocol/protocol'
import type { Params } from '../protocol/requests'
import type { Surface, WasmHead } from './surface'
import { thetaOfLayer } from '../protocol/theta'

/** The farthest distance that is told of every head. */
const farthest = 32

export async function* everyHead(at: AtWork, { run }: Params<'everyHead'>): Stream<'everyHead'> {
  const walked = walkable(at.model, run)
  const surface = await at.surface()
  if (!walked || !surface) return null
  const { model, held } = walked
  const { num_hidden_layers: layers, num_attention_heads: count } = infoOf(model, held)
  for (let layer = 0; layer < layers; layer++) {
    const heads: HeadByDistance[] = []
    for (let head = 0; head < count; head++) {
      const read = await at.engine.head(held.number, partOf(held.pair), layer, head, at.pause)
      if (!read) return null
      heads.push({ layer, head, ...byDistance(surface, read, model, held, { layer, head }) })
      read.free()
      if (!(await at.pause())) return null
    }
    yield heads
  }
  return { run }
}

/** The sizes of the part that a run was looked at. */
const infoOf = (model: ModelAtWork, { pair }: HeldRun) => infoOfPart(model.info, partOf(pair))

function byDistance(
  surface: Surface,
  read: WasmHead,
  model: ModelAtWork,
  held: HeldRun,
  place: { layer: number; head: number },
): Omit<HeadByDistance, 'layer' | 'head'> {
  const { length, tokens, theta, offset, muted, pair } = held
  const info = infoOf(model, held)
  const attention = mapOfPart(read.attention, pair)
  const query = queriesOfPart(read.query, pair, info.head_size)
  const key = keysOfPart(read.key, pair, info.head_size)
  const stopped = muted
    .filter(({ layer, head, fate }) => fate === 'stop' && layer === place.layer && (head ?? place.head) === place.head)
    .flatMap(({ pairs }) => pairs)
  const turns = thetaOfLayer(theta, place.layer, info.head_size).map((speed, pair) =>
    stopped.includes(pair) ? 0 : speed,
  )
  const counted = Uint8Array.from(tokens, (token) => (token < 0 ? 0 : 1))
  const { head_size: size, scale, is_decoder: causal } = info
  const numbers = surface.foretold(query, key, size, offset, turns, scale, counted, causal)
  const distances = 2 * length - 1
  const reach = Math.min(farthest, length - 1)
  const near = (first: number) => first + length - 1 - reach
  const pairs = 1 + 2 * distances
  const ofPairs = (place: number) =>
    Float64Array.from({ length: size >> 1 }, (_, pair) => numbers[pairs + 5 * pair + place] ?? 0)
  const { measured } = weightsByDistance(attention, length, causal)
  return {
    reach,
    measured: measured.slice(near(0), near(0) + 2 * reach + 1),
    foretold: numbers.slice(near(1 + distances), near(1 + distances) + 2 * reach + 1),
    correlation: numbers[0] ?? NaN,
    strength: ofPairs(0),
    constancy: ofPairs(1),
  }
}

/** Milliseconds for which all else may wait. */
const longestWait = 50

/** A layer at a time: of a long text one takes seconds, and is begun anew where something else goes first. */
export async function* statistics(at: AtWork, { run }: Params<'statistics'>): Stream<'statistics'> {
  const { engine, model, pause, overtaken } = at
  const held = heldRun(model, run)
  if (!model || !held) return null
  const { num_hidden_layers: layers, num_attention_heads: heads } = infoOf(model, held)
  const found: Float32Array[] = []
  let began = performance.now()
  while (found.length < layers) {
    const goesOn = async () => (await pause()) && !overtaken()
    try {
      const told = await engine.statistics(held.number, partOf(held.pair), found.length, held.tokens, goesOn)
      if (!told) return null
      found.push(told)
    } catch (error) {
      if (!isFailure(error) || error.code !== 'cancelled' || !overtaken()) throw error
      yield found.length
      began = performance.now()
    }
    if (found.length < layers && performance.now() - began > longestWait) {
      yield found.length
      began = performance.now()
    }
  }
  return { run, layers, heads, numbers: Float32Array.from(found.flatMap((told) => Array.from(told))) }
}

export async function* alike(
  { engine, model: at, pause }: AtWork,
  { run, layer, head }: Params<'alike'>,
): Stream<'alike'> {
  const walked = walkable(at, run)
  if (!walked) return null
  const { model, held } = walked
  const map = async (layer: number, head: number) => {
    const read = await engine.map(held.number, partOf(held.pair), 'weight', layer, head, undefined, pause)
    return read && mapOfPart(read, held.pair)
  }
  const counted = Array.from(held.tokens, (token) => token >= 0)
  const own = await map(layer, head)
  const { num_hidden_layers: layers, num_attention_heads: heads, is_decoder: causal } = infoOf(model, held)
  const correlations = new Float64Array(layers * heads)
  for (let index = 0; index < correlations.length; index++) {
    const other = await map(Math.floor(index / heads), index % heads)
    if (!own || !other) return null
    correlations[index] = mapCorrelation(own, other, counted, causal)
    yield index + 1
  }
  return { run, correlations }
}

function walkable(model: ModelAtWork | undefined, run: number): { model: ModelAtWork; held: HeldRun } | undefined {
  const held = heldRun(model, run)
  return model && held && held.length <= longestWalk ? { model, held } : undefined
}
