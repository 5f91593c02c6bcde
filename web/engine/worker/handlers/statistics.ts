// Requests about all heads, head by head or layer by layer: other requests go in between.

import {
  findRun,
  partName,
  sizesOf,
  type EngineCall,
  type FullRun,
  type Handler,
  type LoadedModel,
  type Stream,
  type Surface,
  type WasmHead,
} from '../handler'
import { longestForAllHeads, mapCorrelation, weightsByDistance } from '../../protocol/byDistance'
import { isFailure } from '../../protocol/failure'
import { keysOfPart, mapOfPart, queriesOfPart, sourceOf } from '../../protocol/parts'
import type { HeadByDistance } from '../../protocol/protocol'
import type { Params } from '../../protocol/requests'
import { thetaOfLayer } from '../../protocol/mathematics'

/** The farthest distance in the result of every head. */
const mostDistance = 32

async function* everyHead(call: EngineCall, { run }: Params<'everyHead'>): Stream<'everyHead'> {
  const subject = runForAllHeads(call.model, run)
  const surface = await call.surface()
  if (!subject || !surface) return null
  const { model, stored } = subject
  const { num_hidden_layers: layers, num_attention_heads: count } = sizesOf(model, stored.pair)
  for (let layer = 0; layer < layers; layer++) {
    const heads: HeadByDistance[] = []
    for (let head = 0; head < count; head++) {
      const read = await call.engine.head(stored.number, partName(stored.pair), layer, head, call.pause)
      if (!read) return null
      heads.push({ layer, head, ...byDistance(surface, read, model, stored, { layer, head }) })
      read.free()
      if (!(await call.pause())) return null
    }
    yield heads
  }
  return { run }
}

function byDistance(
  surface: Surface,
  read: WasmHead,
  model: LoadedModel,
  stored: FullRun,
  place: { layer: number; head: number },
): Omit<HeadByDistance, 'layer' | 'head'> {
  const { length, tokens, theta, offset, muted, pair } = stored
  const info = sizesOf(model, pair)
  const attention = mapOfPart(read.attention, pair)
  const query = queriesOfPart(read.query, pair, info.head_size)
  const key = keysOfPart(read.key, pair, info.head_size)
  const frozen = muted
    .filter(
      ({ layer, head, kind }) => kind === 'frozen' && layer === place.layer && (head ?? place.head) === place.head,
    )
    .flatMap(({ pairs }) => pairs)
  const headTheta = thetaOfLayer(theta, place.layer, info.head_size).map((angle, pair) =>
    frozen.includes(pair) ? 0 : angle,
  )
  const counted = Uint8Array.from(tokens, (token) => (token < 0 ? 0 : 1))
  const { head_size: size, scale, is_decoder: causal } = info
  const numbers = surface.predictScores(query, key, size, offset, headTheta, scale, counted, causal)
  const distances = 2 * length - 1
  const reach = Math.min(mostDistance, length - 1)
  const indexOf = (first: number) => first + length - 1 - reach
  const pairs = 1 + 2 * distances
  const ofPairs = (place: number) =>
    Float64Array.from({ length: size >> 1 }, (_, pair) => numbers[pairs + 5 * pair + place] ?? 0)
  const { measured } = weightsByDistance(attention, length, causal)
  return {
    reach,
    measured: measured.slice(indexOf(0), indexOf(0) + 2 * reach + 1),
    predicted: numbers.slice(indexOf(1 + distances), indexOf(1 + distances) + 2 * reach + 1),
    correlation: numbers[0] ?? NaN,
    strength: ofPairs(0),
    constancy: ofPairs(1),
  }
}

/** Milliseconds for which other requests may wait. */
const longestWait = 50

/** A layer at a time. A layer of a long text takes seconds; it starts again after another request interrupts it. */
async function* headStatistics(
  { engine, model, pause, shouldYield }: EngineCall,
  { run }: Params<'statistics'>,
): Stream<'statistics'> {
  const stored = findRun(model, run)
  if (!model || !stored) return null
  const { num_hidden_layers: layers, num_attention_heads: heads } = sizesOf(model, stored.pair)
  const found: Float32Array[] = []
  let startTime = performance.now()
  while (found.length < layers) {
    const mayContinue = async () => (await pause()) && !shouldYield()
    try {
      const ofLayer = await engine.statistics(
        stored.number,
        partName(stored.pair),
        found.length,
        stored.tokens,
        mayContinue,
      )
      if (!ofLayer) return null
      found.push(ofLayer)
    } catch (error) {
      if (!isFailure(error) || error.code !== 'cancelled' || !shouldYield()) throw error
      yield found.length
      startTime = performance.now()
    }
    if (found.length < layers && performance.now() - startTime > longestWait) {
      yield found.length
      startTime = performance.now()
    }
  }
  return { run, layers, heads, numbers: Float32Array.from(found.flatMap((ofLayer) => Array.from(ofLayer))) }
}

async function* similarHeads(
  { engine, model: loaded, pause }: EngineCall,
  { run, layer, head }: Params<'similarHeads'>,
): Stream<'similarHeads'> {
  const subject = runForAllHeads(loaded, run)
  if (!subject) return null
  const { model, stored } = subject
  const map = async (layer: number, head: number) => {
    const read = await engine.map(stored.number, partName(stored.pair), 'weight', layer, head, undefined, pause)
    return read && mapOfPart(read, stored.pair)
  }
  const counted = Array.from(stored.tokens, (token) => token >= 0)
  const own = await map(layer, head)
  const { num_hidden_layers: layers, num_attention_heads: heads, is_decoder: causal } = sizesOf(model, stored.pair)
  const correlations = new Float64Array(layers * heads)
  for (let index = 0; index < correlations.length; index++) {
    const other = await map(Math.floor(index / heads), index % heads)
    if (!own || !other) return null
    correlations[index] = mapCorrelation(own, other, counted, causal, sourceOf(stored.pair))
    yield index + 1
  }
  return { run, correlations }
}

function runForAllHeads(
  model: LoadedModel | undefined,
  run: number,
): { model: LoadedModel; stored: FullRun } | undefined {
  const stored = findRun(model, run)
  return model && stored && stored.length <= longestForAllHeads ? { model, stored } : undefined
}

export const statistics: { readonly [K in 'statistics' | 'everyHead' | 'similarHeads' | 'contacts']: Handler<K> } = {
  statistics: { needs: 'engine', turn: 'write', newestOnly: false, stream: headStatistics },
  everyHead: { needs: 'engine', turn: 'write', newestOnly: true, stream: everyHead },
  similarHeads: { needs: 'engine', turn: 'write', newestOnly: true, stream: similarHeads },

  contacts: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async handle({ engine, model, pause }, { run: id }) {
      const run = findRun(model, id)
      if (!model?.info.has_contact_head || !run || run.length < 3 || run.length > longestForAllHeads) return null
      const numbers = await engine.contacts(run.number, pause)
      return numbers ? { run: id, count: run.length - 2, numbers } : null
    },
  },
}
