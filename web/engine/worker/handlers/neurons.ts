// Neurons of a text.
import type { NeuronNumbers, NeuronOfText } from '../../protocol/neurons'
import { partName, type Handler } from '../handler'
import { changeOf } from './runs'

export const neurons: { readonly [K in 'neurons' | 'neuron']: Handler<K> } = {
  neurons: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async handle({ engine, model, pause }, params) {
      if (model?.id !== params.model) return null
      const { ids, pair, positionOffset, layer, row, count } = params
      const changes = changeOf(engine, params)
      const text = pair?.text ?? ids
      const json = await engine.neurons(text, partName(pair), layer, row, count, positionOffset, changes, pause)
      return JSON.parse(json) as NeuronNumbers[]
    },
  },

  neuron: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async handle({ engine, model, pause }, params) {
      if (model?.id !== params.model) return null
      const { ids, pair, positionOffset, layer, neuron, count } = params
      const changes = changeOf(engine, params)
      const text = pair?.text ?? ids
      const json = await engine.neuron(text, partName(pair), layer, neuron, count, positionOffset, changes, pause)
      return JSON.parse(json) as NeuronOfText
    },
  },
}
