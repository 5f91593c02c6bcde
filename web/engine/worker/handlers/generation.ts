// The next tokens of a text.
import type { Candidate, GeneratedToken, SearchedToken } from '../../protocol/generation'
import type { Handler } from '../handler'

export const generation: { readonly [K in 'candidates' | 'generate']: Handler<K> } = {
  candidates: {
    needs: 'engine',
    turn: 'read',
    newestOnly: true,
    async handle({ engine, model }, { run, settings }) {
      if (model?.newest?.id !== run) return null
      return JSON.parse(await engine.candidates(JSON.stringify(settings))) as Candidate[]
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
