// How the worker answers each question: from the mathematics alone, at once, or from the engine, in its turn.

import { longestWalk } from '../protocol/byDistance'
import { changed, flatLabels } from './change'
import { engineFailure } from '../protocol/failure'
import { alike, everyHead, statistics } from './everyHead'
import { lessons } from './lessons'
import {
  amongAll,
  infoOfPart,
  keysOfPart,
  mapOfPart,
  partNames,
  queriesOfPart,
  textBegins,
  type Pair,
} from '../protocol/parts'
import { type Candidate, type GeneratedToken, type SearchedToken } from '../protocol/generation'
import { rotationKinds, weighed, type HeadResult, type MapKind, type RunReport } from '../protocol/protocol'
import type { Kind, Params } from '../protocol/requests'
import { heldRun, lookable, partOf, type BesideRun, type Row } from './atWork'
import type { WasmChange, WasmEngine, WasmHead } from './surface'

/** Lets a run go after the source of a pair. */
function after(change: WasmChange, pair: Pair | undefined): WasmChange {
  if (pair) change.after(pair.source)
  return change
}

/** Rows among the tokens that views show as rows of the text that runs. */
const rowsOfText = (rows: Uint32Array, pair: Pair | undefined): Uint32Array =>
  pair ? rows.map((row) => row - textBegins(pair)) : rows

/** A head among the tokens that views show. */
function headOfPart(
  { attention, query, key }: Pick<WasmHead, 'attention' | 'query' | 'key'>,
  pair: Pair | undefined,
  size: number,
): Pick<HeadResult, 'attention' | 'query' | 'key'> {
  return {
    attention: mapOfPart(attention, pair),
    query: queriesOfPart(query, pair, size),
    key: keysOfPart(key, pair, size),
  }
}

const nothing = new Float32Array()

const isWeighed = (kind: MapKind): kind is (typeof weighed)[number] => weighed.some((one) => one === kind)

/** A map of the first of these heads, or the mean of what they weigh. Undefined once the run is stale. */
async function mapOf(
  engine: WasmEngine,
  { number, pair }: BesideRun,
  kind: MapKind,
  heads: Params<'map'>['heads'],
  pause: () => Promise<boolean>,
): Promise<Float32Array | undefined> {
  if (isWeighed(kind)) {
    const places = Uint32Array.from(heads.flatMap(({ layer, head }) => [layer, head]))
    return engine.meanMap(number, partOf(pair), kind, places, pause)
  }
  const [{ layer, head } = { layer: 0, head: 0 }] = heads
  return engine.map(number, partOf(pair), kind, layer, head, undefined, pause)
}

const isEven = (_: number, at: number) => at % 2 === 0
const isOdd = (_: number, at: number) => at % 2 === 1

/** Larger tables are refused: their memory is asked of the engine in one piece. */
const mostAngles = 1 << 24

export const answers: { readonly [K in Kind]: Row<K> } = {
  frequencies: {
    needs: 'mathematics',
    answer: (surface, { headSize, base }) => surface.frequencies(headSize, base),
  },

  angles: {
    needs: 'mathematics',
    answer(surface, { theta, length }) {
      if (length * theta.length > mostAngles) {
        throw engineFailure('too-many-angles', { positions: length, pairs: theta.length, limit: mostAngles })
      }
      return surface.angles(theta, length)
    },
  },

  decay: {
    needs: 'mathematics',
    answer: (surface, { theta, maxDistance }) => surface.decayBound(theta, maxDistance),
  },

  ...lessons,

  palette: { needs: 'mathematics', answer: (surface, { stops }) => surface.palette(stops) },

  explain: {
    needs: 'mathematics',
    answer(surface, { query, key, m, n, theta, scale, maxDistance }) {
      const explained = surface.explainScore(query, key, m, n, theta, scale, maxDistance)
      const { parts, running, score, sweep, steepest } = explained
      explained.free()
      return { parts, running, score, sweep, steepest, maxDistance }
    },
  },

  foretold: {
    needs: 'mathematics',
    answer(surface, { query, key, headSize, offset, theta, scale, counted, causal }) {
      const numbers = surface.foretold(query, key, headSize, offset, theta, scale, counted, causal)
      const distances = Math.max(0, (2 * query.length) / headSize - 1)
      let read = 0
      const next = (count: number) => numbers.slice(read, (read += count))
      const [correlation = NaN] = next(1)
      const [scores, weights] = [next(distances), next(distances)]
      const pairs = Array.from({ length: headSize >> 1 }, () => {
        const [strength = 0, queryConstancy = 0, keyConstancy = 0, phase = 0, wants = NaN] = next(5)
        return { strength, queryConstancy, keyConstancy, phase, wants }
      })
      return { correlation, scores, weights, pairs, query: next(query.length), key: next(key.length) }
    },
  },

  run: {
    needs: 'engine',
    turn: 'run',
    newestOnly: true,
    async answer({ id, engine, model: held, pause }, { model, request }) {
      if (held?.id !== model) return null
      const { ids, pair, special, rows, topK, layer, head, positionOffset, change, beyondLength } = request
      const changes = changed(engine, change, change?.labels && flatLabels(change.labels), beyondLength)
      const info = infoOfPart(held.info, partOf(pair))
      // A run that stops half-way leaves neither its own results nor those of the one before.
      held.run = undefined
      after(changes, pair)
      const text = pair?.text ?? ids
      const [part, own] = [partOf(pair), rowsOfText(rows, pair)]
      const run = await engine.run(text, own, topK, part, layer, head, positionOffset, changes, pause)
      // Where positions are added to the embeddings, no pair turns.
      const still = info.num_hidden_layers * (info.head_size >> 1)
      const theta = info.adds_positions ? new Float64Array(still) : run.theta
      const { number } = run
      const tokens = Float32Array.from(ids)
      special?.forEach((position) => tokens.fill(-1, position, position + 1))
      // What the answer holds is handed over to the page.
      const kept = { theta: theta.slice(), offset: positionOffset, muted: change?.muted ?? [] }
      held.run = { id, length: ids.length, number, pair, ids, tokens, ...kept }
      if (!run.changed) held.whole = held.run
      const { topIds, topProbabilities, logits, losses } = run
      const read = headOfPart(run, pair, info.head_size)
      const report = JSON.parse(run.report) as RunReport
      const logitsShape = Array.from(run.logitsShape)
      run.free()
      const tops = { rows, topIds, topProbabilities, logits, logitsShape, losses }
      return { run: id, layer, head, length: ids.length, ...read, theta, ...tops, report }
    },
  },

  head: {
    needs: 'engine',
    turn: 'read',
    newestOnly: true,
    async answer({ engine, model, pause }, { run, layer, head }) {
      const held = lookable(model, run)
      const read = held && (await engine.head(held.number, partOf(held.pair), layer, head, pause))
      if (!read || !model) return null
      const found = headOfPart(read, held.pair, infoOfPart(model.info, partOf(held.pair)).head_size)
      read.free()
      return { run, layer, head, length: held.length, ...found }
    },
  },

  map: {
    needs: 'engine',
    turn: 'read',
    newestOnly: false,
    async answer({ engine, model, pause }, { run, kind, heads }) {
      const held = lookable(model, run)
      const numbers = held && (await mapOf(engine, held, kind, heads, pause))
      if (!numbers) return null
      return { run, kind, length: held.length, numbers: mapOfPart(numbers, held.pair) }
    },
  },

  masks: {
    needs: 'engine',
    turn: 'read',
    newestOnly: true,
    async answer({ engine, model, pause }, { run }) {
      const held = heldRun(model, run)
      if (!held?.pair) return null
      const { source, text } = held.pair
      const found: Float32Array[] = []
      for (const part of partNames) {
        const mask = await engine.map(held.number, part, 'mask', 0, 0, undefined, pause)
        if (!mask) return null
        found.push(mask)
      }
      const [encoder = nothing, decoder = nothing, cross = nothing] = found
      return { run, source: source.length, text: text.length, encoder, decoder, cross }
    },
  },

  statistics: { needs: 'engine', turn: 'write', newestOnly: false, stream: statistics },

  contacts: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async answer({ engine, model, pause }, { run }) {
      const held = heldRun(model, run)
      if (!model?.info.tells_contacts || !held || held.length < 3 || held.length > longestWalk) return null
      const numbers = await engine.contacts(held.number, held.ids, pause)
      return numbers ? { run, count: held.length - 2, numbers } : null
    },
  },

  everyHead: { needs: 'engine', turn: 'write', newestOnly: true, stream: everyHead },

  alike: { needs: 'engine', turn: 'write', newestOnly: true, stream: alike },

  headRows: {
    needs: 'engine',
    turn: 'read',
    newestOnly: false,
    async answer({ engine, model, pause }, { run, layer }) {
      const held = heldRun(model, run)
      const rows = held && (await engine.headRows(held.number, partOf(held.pair), layer, pause))
      if (!model || !rows) return null
      const { length, pair } = held
      const { num_attention_heads: heads, head_size: size } = infoOfPart(model.info, partOf(pair))
      const width = heads * size
      const count = (pair?.part === 'cross' ? pair.text.length : length) * width
      const queries = queriesOfPart(rows.slice(0, count), pair, width)
      return { run, layer, length, queries, keys: keysOfPart(rows.slice(count), pair, width) }
    },
  },

  loss: {
    needs: 'engine',
    turn: 'write',
    newestOnly: false,
    async answer({ engine, model: held, pause }, { model, ids, batch, labels, change, beyondLength }) {
      if (held?.id !== model) return null
      const changes = changed(engine, change, labels, beyondLength)
      const [mean = Number.NaN, count = 0] = await engine.loss(ids, batch, changes, pause)
      return { mean, labels: count }
    },
  },

  lens: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async answer(
      { engine, model: held, pause },
      { model, ids, pair, rows, topK, positionOffset, change, beyondLength },
    ) {
      if (held?.id !== model) return null
      const changes = after(changed(engine, change, undefined, beyondLength), pair)
      const asked = rowsOfText(rows, pair)
      const text = pair?.text ?? ids
      const fills = await engine.lens(text, asked, topK, positionOffset, changes, pause)
      const { num_hidden_layers: layers } = held.info
      return {
        layers,
        rows,
        topIds: Uint32Array.from(fills.filter(isEven)),
        topProbabilities: Float32Array.from(fills.filter(isOdd)),
      }
    },
  },

  flow: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async answer({ engine, model: held, pause }, { model, ids, pair, positionOffset, change, beyondLength }) {
      if (held?.id !== model) return null
      const changes = after(changed(engine, change, undefined, beyondLength), pair)
      const numbers = await engine.flow(pair?.text ?? ids, partOf(pair), positionOffset, changes, pause)
      const { num_hidden_layers: layers, num_attention_heads: heads } = infoOfPart(held.info, partOf(pair))
      const { length } = ids
      // Where cross-attention is looked at, what flows is the text's: the source stands before it.
      const first = pair ? textBegins(pair) : 0
      const wide = length - first
      let read = 0
      const next = (count: number) => Float32Array.from(numbers.subarray(read, (read += count)))
      const behind = (rows: Float32Array) =>
        first === 0
          ? rows
          : Float32Array.from({ length: (rows.length / wide) * length }, (_, at) =>
              at % length < first ? 0 : (rows[Math.floor(at / length) * wide + (at % length) - first] ?? 0),
            )
      const map = behind(next(wide * wide))
      return {
        layers,
        heads,
        length,
        rollout: first === 0 ? map : amongAll(map, { wide: length, first, width: length, length }),
        residual: behind(next((layers + 1) * wide)),
        change: behind(next(layers * wide)),
        outputs: next(layers * heads),
      }
    },
  },

  differences: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async answer({ engine, model: held, pause }, { model, ids, of, positionOffset, change, beyondLength }) {
      if (held?.id !== model) return null
      const changes = changed(engine, change, undefined, beyondLength)
      const found = await engine.differences(ids, of === 'shift', positionOffset, changes, pause)
      const [weight = NaN, layer = 0, head = 0, query = 0, key = 0, logit = NaN] = found
      return { weight, layer, head, query, key, logit }
    },
  },

  file: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async answer({ engine, model: held, pause }, { model, ids, pair, positionOffset, change, beyondLength }) {
      if (held?.id !== model) return null
      const changes = after(changed(engine, change, undefined, beyondLength), pair)
      return await engine.tensorFile(pair?.text ?? ids, positionOffset, changes, pause)
    },
  },

  beside: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async answer(
      { id, engine, model: held, pause },
      { model, ids, pair, layer, head, positionOffset, change, beyondLength },
    ) {
      if (held?.id !== model) return null
      held.beside = undefined
      const changes = after(changed(engine, change, undefined, beyondLength), pair)
      const text = pair?.text ?? ids
      const number = await engine.secondText(text, positionOffset, changes, pause)
      const read = await engine.head(number, partOf(pair), layer, head, pause)
      if (!read) return null
      held.beside = { id, length: ids.length, number, pair }
      const found = headOfPart(read, pair, infoOfPart(held.info, partOf(pair)).head_size)
      read.free()
      return { run: id, layer, head, length: ids.length, ...found }
    },
  },

  candidates: {
    needs: 'engine',
    turn: 'read',
    newestOnly: true,
    async answer({ engine, model }, { run, settings }) {
      if (model?.run?.id !== run) return null
      return JSON.parse(await engine.candidates(JSON.stringify(settings))) as Candidate[]
    },
  },

  generate: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async *stream({ engine, model: held, pause }, { model, ids, settings }) {
      if (held?.id !== model) return null
      const generation = engine.generate(ids, JSON.stringify(settings))
      try {
        for (;;) {
          const token = JSON.parse(await generation.next(pause)) as GeneratedToken | SearchedToken
          yield token
          if (token.ended) return token.ended
        }
      } finally {
        generation.free()
      }
    },
  },

  trial: {
    needs: 'engine',
    turn: 'write',
    newestOnly: false,
    async answer({ engine, pause }, { what, length, headSize }) {
      const numbers = await engine.trial(what, length, headSize, pause)
      const [milliseconds = Number.NaN, stored = 0, all = 0] = numbers
      const isRotation = rotationKinds.some((kind) => kind === what)
      return { milliseconds, bytes: isRotation ? stored : all, numbers: numbers.subarray(3) }
    },
  },

  gridPixels: {
    needs: 'engine',
    turn: 'read',
    newestOnly: false,
    async answer({ engine }, { painter }) {
      const picture = await engine.gridPixels(painter)
      const { width, height, pixels } = picture
      picture.free()
      return { width, height, pixels }
    },
  },
}
