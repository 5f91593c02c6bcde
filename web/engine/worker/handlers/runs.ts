// Runs whose heads can be read afterwards.
import { textStart } from '../../protocol/parts'
import type { RunReport } from '../../protocol/protocol'
import { changeOf, flatLabels } from '../change'
import { partName, runKey, sizesOf, type Handler } from '../handler'
import { headNumbers, readHead } from './heads'

export const runs: { readonly [K in 'run' | 'comparisonHead']: Handler<K> } = {
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
      const still = sizes.num_hidden_layers * (sizes.head_size >> 1)
      const theta = sizes.adds_positions ? new Float64Array(still) : run.theta
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
}
