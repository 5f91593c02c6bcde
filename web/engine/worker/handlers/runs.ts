// Runs whose heads can be read afterwards, with their changes, and the next tokens of a text.
import { textStart } from '../../protocol/parts'
import type { RunReport, Change } from '../../protocol/protocol'
import {
  partName,
  runKey,
  sizesOf,
  type Handler,
  type Intervention,
  type WasmChange,
  type WasmEngine,
} from '../handler'
import { headNumbers, readHead } from './heads'
import type { GeneratedToken, NextTokens, SearchedToken } from '../../protocol/generation'
import { engineFailure } from '../../protocol/failure'
import type { TextRun } from '../../protocol/requests'
import { site } from '../../protocol/site'

export const runs: { readonly [K in 'run' | 'comparisonHead' | 'candidates' | 'generate']: Handler<K> } = {
  run: {
    needs: 'engine',
    turn: 'run',
    newestOnly: true,
    async handle({ id, engine, model, pause }, { model: version, request }) {
      if (model?.id !== version) return null
      const { ids, pair, special, rows, topK, layer, head, positionOffset, change } = request
      const sizes = sizesOf(model, pair)
      const changes = changeOf(engine, request, change?.labels && flatLabels(change.labels))
      // A cancelled run destroys the results of the former one.
      model.newest = undefined
      const ownRows = pair ? rows.map((row) => row - textStart(pair)) : rows
      const text = pair?.text ?? ids
      const run = await engine.run(text, ownRows, topK, partName(pair), layer, head, positionOffset, changes, pause)
      // Where positions are added to the embeddings, no pair rotates.
      const pairCount = sizes.num_hidden_layers * (sizes.head_size >> 1)
      const theta = sizes.adds_positions ? new Float64Array(pairCount) : run.theta
      const tokens = Float32Array.from(ids)
      special?.forEach((position) => tokens.fill(-1, position, position + 1))
      const { number, topIds, topProbabilities, logits, losses } = run
      model.newest = {
        id,
        key: runKey(request),
        length: ids.length,
        number,
        pair,
        ids,
        tokens,
        // The result's array is transferred to the page.
        theta: theta.slice(),
        offset: positionOffset,
        muted: change?.muted ?? [],
      }
      if (!run.changed) model.baseline = model.newest
      const read = headNumbers(run, pair, sizes.head_size)
      const report = JSON.parse(run.report) as RunReport
      const logitsShape = Array.from(run.logitsShape)
      run.free()
      const predictions = { rows, topIds, topProbabilities, logits, logitsShape, losses }
      return { run: id, layer, head, length: ids.length, ...read, theta, ...predictions, report }
    },
  },

  comparisonHead: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    // Another head of the same run waits for that run.
    shares: (older, newer) => older.model === newer.model && runKey(older) === runKey(newer),
    async handle(call, params) {
      const { id, engine, model, pause } = call
      if (model?.id !== params.model) return null
      const key = runKey(params)
      const stored = [model.comparison, model.newest, model.baseline].find((run) => run?.key === key)
      const found = stored && (await readHead(call, model, stored, params))
      if (found) return found
      const { ids, pair, positionOffset } = params
      model.comparison = undefined
      const changes = changeOf(engine, params)
      const number = await engine.secondText(pair?.text ?? ids, positionOffset, changes, pause)
      model.comparison = { id, key, length: ids.length, number, pair }
      return (await readHead(call, model, model.comparison, params)) ?? null
    },
  },

  candidates: {
    needs: 'engine',
    turn: 'read',
    newestOnly: true,
    async handle({ engine, model, pause, shouldYield }, { run, settings }) {
      if (model?.newest?.id !== run) return null
      // Earlier turns go first. If the run is the newest one still, the page asks for its candidates again.
      const mayContinue = async () => (await pause()) && !shouldYield()
      return JSON.parse(await engine.candidates(JSON.stringify(settings), mayContinue)) as NextTokens
    },
  },

  generate: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async *stream({ engine, model, pause }, params) {
      if (model?.id !== params.model) return null
      const generation = engine.generate(params.ids, JSON.stringify(params.settings))
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
}

/** An index that no model has. */
const noIndex = 2 ** 32 - 2

/** Links hold anything: an invalid index becomes one that the engine refuses. */
const index = (number: number) => (Number.isInteger(number) && number >= 0 && number < noIndex ? number : noIndex)

function distance(distanceClamp: number): number {
  if (Number.isInteger(distanceClamp) && distanceClamp >= 0 && distanceClamp <= noIndex) return distanceClamp
  throw engineFailure('invalid-distance', { distance: distanceClamp })
}

/** −1: no label. */
export function flatLabels(labels: readonly (number | null)[]): Int32Array {
  return Int32Array.from(labels, (label) => (label === null ? -1 : Math.min(index(label), 2 ** 31 - 1)))
}

/** @throws {Failure} for an invalid distance */
function interventions({
  muted = [],
  ablatedHeads = [],
  headReplacement = 'zero',
  neuronsOff = [],
  numbers = [],
  rotatesValues,
  logN,
  distanceClamp,
}: Change): Intervention[] {
  return [
    ...muted.flatMap(({ layer, head, pairs, kind }) =>
      pairs.map((pair): Intervention => {
        const heads = head === null ? '*' : index(head)
        const place = site('layer.N.query.rotated', index(layer), heads, '*', `p${index(pair)}`)
        return `${place}=${kind === 'frozen' ? 'frozen' : 'zero'}`
      }),
    ),
    ...ablatedHeads.map(
      ({ layer, head }): Intervention => `${site('layer.N.head', index(layer), index(head))}=${headReplacement}`,
    ),
    ...neuronsOff.map(({ layer, neuron }): Intervention => {
      return `${site('ffn.N', index(layer), '*', neuron === null ? '*' : index(neuron))}=zero`
    }),
    ...numbers,
    ...(rotatesValues ? [`${site('layer.N.value', '*')}=rotated` as const] : []),
    ...(logN === undefined ? [] : [`${site('layer.N.query.rotated', '*')}=log-n:${logN}` as const]),
    ...(distanceClamp === undefined ? [] : [`${site('layer.N.score', '*')}=clamp:${distance(distanceClamp)}` as const]),
  ]
}

/** A change as the WASM reads it: interventions, each a site and its replacement, and settings of the model. One run consumes it. `labels`: of each row, for a loss of each token; −1: none. */
export function changeOf(
  engine: WasmEngine,
  { change = {}, beyondLength = false, pair }: Pick<TextRun, 'change' | 'beyondLength' | 'pair'>,
  labels: Int32Array = new Int32Array(),
): WasmChange {
  const { ropeScaling = '', rotaryValue = false, attention } = change
  const ofRun = engine.change(interventions(change), labels, ropeScaling, rotaryValue, attention, beyondLength)
  if (pair) ofRun.after(pair.source)
  return ofRun
}
