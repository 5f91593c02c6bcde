// Where numbers of a text come from, and what adds up to a logit.
import type { Attribution, Explanation } from '../../protocol/explanation'
import type { Handler } from '../handler'
import { changeOf } from './runs'

export const explanations: { readonly [K in 'explanations' | 'attributions']: Handler<K> } = {
  explanations: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async handle({ engine, model, pause }, params) {
      if (model?.id !== params.model) return null
      const { ids, pair, positionOffset, sites } = params
      const found: Explanation[] = []
      for (const site of sites) {
        const changes = changeOf(engine, params)
        const json = await engine.explanation(pair?.text ?? ids, positionOffset, changes, site, pause)
        found.push(JSON.parse(json) as Explanation)
      }
      return found
    },
  },

  attributions: {
    needs: 'engine',
    turn: 'write',
    newestOnly: true,
    async handle({ engine, model, pause }, params) {
      if (model?.id !== params.model) return null
      const { ids, pair, positionOffset, row, tokens } = params
      const found: Attribution[] = []
      for (const token of tokens) {
        const changes = changeOf(engine, params)
        const json = await engine.attribution(pair?.text ?? ids, positionOffset, changes, row, token, pause)
        found.push(JSON.parse(json) as Attribution)
      }
      return found
    },
  },
}
