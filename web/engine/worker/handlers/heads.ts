// Heads of a run that the engine still holds.
import { keysOfPart, mapOfPart, partNames, queriesOfPart, type Pair } from '../../protocol/parts'
import { isWeighing, type HeadResult, type MapKind } from '../../protocol/protocol'
import type { Params } from '../../protocol/requests'
import {
  findHeads,
  findRun,
  partName,
  sizesOf,
  type EngineCall,
  type Handler,
  type LoadedModel,
  type StoredRun,
  type WasmHead,
} from '../handler'

type HeadNumbers = Pick<HeadResult, 'attention' | 'query' | 'key'>

/** A head's numbers for the tokens of the views. */
export function headNumbers(
  { attention, query, key }: Pick<WasmHead, keyof HeadNumbers>,
  pair: Pair | undefined,
  size: number,
): HeadNumbers {
  return {
    attention: mapOfPart(attention, pair),
    query: queriesOfPart(query, pair, size),
    key: keysOfPart(key, pair, size),
  }
}

/** Undefined: the engine has overwritten the run. */
export async function readHead(
  { engine, pause }: EngineCall,
  model: LoadedModel,
  { id, number, length, pair }: StoredRun,
  { layer, head }: { layer: number; head: number },
): Promise<HeadResult | undefined> {
  const read = await engine.head(number, partName(pair), layer, head, pause)
  if (!read) return undefined
  const numbers = headNumbers(read, pair, sizesOf(model, pair).head_size)
  read.free()
  return { run: id, layer, head, length, ...numbers }
}

/** A map of the first head, or a mean of all. Undefined: the engine has overwritten the run. */
async function readMap(
  { engine, pause }: EngineCall,
  { number, pair }: StoredRun,
  kind: MapKind,
  heads: Params<'map'>['heads'],
): Promise<Float32Array | undefined> {
  if (isWeighing(kind)) {
    const places = Uint32Array.from(heads.flatMap(({ layer, head }) => [layer, head]))
    return engine.meanMap(number, partName(pair), kind, places, pause)
  }
  const [{ layer, head } = { layer: 0, head: 0 }] = heads
  return engine.map(number, partName(pair), kind, layer, head, undefined, pause)
}

const noNumbers = new Float32Array()

export const heads: { readonly [K in 'head' | 'map' | 'masks' | 'headRows' | 'gridPixels']: Handler<K> } = {
  head: {
    needs: 'engine',
    turn: 'read',
    newestOnly: true,
    async handle(call, params) {
      const { model } = call
      const run = findHeads(model, params.run)
      return (model && run && (await readHead(call, model, run, params))) ?? null
    },
  },

  map: {
    needs: 'engine',
    turn: 'read',
    newestOnly: false,
    async handle(call, { run: id, kind, heads }) {
      const run = findHeads(call.model, id)
      const numbers = run && (await readMap(call, run, kind, heads))
      return numbers ? { run: id, kind, length: run.length, numbers: mapOfPart(numbers, run.pair) } : null
    },
  },

  masks: {
    needs: 'engine',
    turn: 'read',
    newestOnly: true,
    async handle({ engine, model, pause }, { run: id }) {
      const run = findRun(model, id)
      if (!run?.pair) return null
      const { source, text } = run.pair
      const found: Float32Array[] = []
      for (const part of partNames) {
        const mask = await engine.map(run.number, part, 'mask', 0, 0, undefined, pause)
        if (!mask) return null
        found.push(mask)
      }
      const [encoder = noNumbers, decoder = noNumbers, cross = noNumbers] = found
      return { run: id, source: source.length, text: text.length, encoder, decoder, cross }
    },
  },

  headRows: {
    needs: 'engine',
    turn: 'read',
    newestOnly: false,
    async handle({ engine, model, pause }, { run: id, layer }) {
      const run = findRun(model, id)
      const rows = run && (await engine.headRows(run.number, partName(run.pair), layer, pause))
      if (!model || !rows) return null
      const { length, pair } = run
      const { num_attention_heads: count, head_size: size } = sizesOf(model, pair)
      const width = count * size
      const split = (pair?.part === 'cross' ? pair.text.length : length) * width
      const queries = queriesOfPart(rows.slice(0, split), pair, width)
      return { run: id, layer, length, queries, keys: keysOfPart(rows.slice(split), pair, width) }
    },
  },

  gridPixels: {
    needs: 'engine',
    turn: 'read',
    newestOnly: false,
    async handle({ engine }, { painter }) {
      const picture = await engine.gridPixels(painter)
      const { width, height, pixels } = picture
      picture.free()
      return { width, height, pixels }
    },
  },
}
