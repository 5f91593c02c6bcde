// Requests with a run of their own, which leaves the newest run as it is.
import { placeRows, textStart } from '../../protocol/parts'
import { rotationKinds } from '../../protocol/protocol'
import { changeOf } from './runs'
import { partName, sizesOf, type Handler } from '../handler'

type MeasureKind = 'loss' | 'lens' | 'flow' | 'differences' | 'file' | 'siteNumbers' | 'trial'

const isEven = (_: number, at: number) => at % 2 === 0
const isOdd = (_: number, at: number) => at % 2 === 1

export const measures: { readonly [K in MeasureKind]: Handler<K> } = {
  loss: {
    needs: 'engine',
    turn: 'write',
    newestOnly: false,
    async handle({ engine, model, pause }, params) {
      if (model?.id !== params.model) return null
      const { ids, batch, labels } = params
      const [mean = NaN, count = 0] = await engine.loss(ids, batch, changeOf(engine, params, labels), pause)
      return { mean, labels: count }
    },
  },

  lens: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async handle({ engine, model, pause }, params) {
      if (model?.id !== params.model) return null
      const { ids, pair, rows, topK, positionOffset } = params
      const ownRows = pair ? rows.map((row) => row - textStart(pair)) : rows
      const changes = changeOf(engine, params)
      const fills = await engine.lens(pair?.text ?? ids, ownRows, topK, positionOffset, changes, pause)
      return {
        layers: model.info.num_hidden_layers,
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
    async handle({ engine, model, pause }, params) {
      if (model?.id !== params.model) return null
      const { ids, pair, positionOffset } = params
      const changes = changeOf(engine, params)
      const numbers = await engine.flow(pair?.text ?? ids, partName(pair), positionOffset, changes, pause)
      const { num_hidden_layers: layers, num_attention_heads: heads } = sizesOf(model, pair)
      const { length } = ids
      // With cross-attention the numbers are the text's; in the views the source's tokens come first.
      const first = pair ? textStart(pair) : 0
      const width = length - first
      let read = 0
      const next = (count: number) => Float32Array.from(numbers.subarray(read, (read += count)))
      const withSource = (rows: Float32Array) =>
        first === 0
          ? rows
          : Float32Array.from({ length: (rows.length / width) * length }, (_, at) =>
              at % length < first ? 0 : (rows[Math.floor(at / length) * width + (at % length) - first] ?? 0),
            )
      const map = withSource(next(width * width))
      return {
        layers,
        heads,
        length,
        rollout: first === 0 ? map : placeRows(map, { columns: length, first, width: length, length }),
        residual: withSource(next((layers + 1) * width)),
        change: withSource(next(layers * width)),
        outputs: next(layers * heads),
      }
    },
  },

  differences: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async handle({ engine, model, pause }, params) {
      if (model?.id !== params.model) return null
      const { ids, of, positionOffset } = params
      const changes = changeOf(engine, params)
      const found = await engine.differences(ids, of === 'shift', positionOffset, changes, pause)
      const [weight = NaN, layer = 0, head = 0, query = 0, key = 0, logit = NaN] = found
      return { weight, layer, head, query, key, logit }
    },
  },

  file: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async handle({ engine, model, pause }, params) {
      if (model?.id !== params.model) return null
      const { ids, pair, positionOffset } = params
      return await engine.tensorFile(pair?.text ?? ids, positionOffset, changeOf(engine, params), pause)
    },
  },

  siteNumbers: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async handle({ engine, model, pause }, params) {
      if (model?.id !== params.model) return null
      const { ids, pair, positionOffset, sites, of } = params
      const read = of === 'norms' ? 'siteNorms' : 'siteNumbers'
      return await engine[read](pair?.text ?? ids, positionOffset, [...sites], changeOf(engine, params), pause)
    },
  },

  trial: {
    needs: 'engine',
    turn: 'write',
    newestOnly: false,
    async handle({ engine, pause }, { what, length, headSize }) {
      const numbers = await engine.trial(what, length, headSize, pause)
      const [milliseconds = NaN, stored = 0, all = 0] = numbers
      const isRotation = rotationKinds.some((kind) => kind === what)
      return { milliseconds, bytes: isRotation ? stored : all, numbers: numbers.subarray(3) }
    },
  },
}
