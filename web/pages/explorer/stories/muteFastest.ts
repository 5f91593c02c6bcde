// Without its fastest pairs a head no longer finds the token before.
import { explainRequest, reachFor, spanOf } from '../../../charts/sweep/model'
import { integer, percent, score } from '../../../i18n/numbers'
import { sentence } from '../../../i18n/rich'
import { resource } from '../../../session/resource.svelte'
import type { Run } from '../../../session/runs.svelte'
import { atDistance, namedGuess } from './measures'
import { sceneOf, story } from './story.svelte'

const pairs = [0, 1, 2, 3]
const unmuted = sceneOf('oneBack', 'roformer-english', ['mute'])
const { layer, head } = unmuted

export const muteFastest = story({
  id: 'muteFastest',
  name: { en: 'Cut the fast hands', ko: '빠른 바늘 제거', hu: 'Gyorsak nélkül' },
  scene: { ...unmuted, ablated: [{ layer, head, pairs }] },
  sources(bench) {
    const explained = (of: () => Run | undefined) =>
      resource(bench.engine, 'explain', () => {
        const { cursor } = bench
        const run = of()
        return run && explainRequest(run, cursor, reachFor(cursor.query - cursor.key))
      })
    return { bench, before: explained(() => bench.baseline), after: explained(() => bench.run) }
  },
  captions: [
    {
      view: 'mute',
      anchor: 'parts',
      scene: { ablated: [] },
      say({ before: { current } }) {
        if (!current) return undefined
        const sum = pairs.reduce((sum, pair) => sum + (current.parts[pair] ?? 0), 0)
        const [first, last, part, all] = [integer(0), integer(pairs.length - 1), score(sum), score(current.score)]
        return {
          en: sentence`Pairs ${first} to ${last} turn fastest. They add ${part} of this score, ${all}. Next they are taken out.`,
          ko: sentence`${first}~${last}번 쌍이 가장 빨리 돕니다. 점수 ${all} 가운데 이들의 몫은 ${part}입니다. 다음에는 이들을 제거합니다.`,
          hu: sentence`A ${first}–${last}. pár fordul leggyorsabban. A pontszám ${all}, ebből ${part} az övék. Most kivágjuk őket.`,
        }
      },
    },
    {
      view: 'mute',
      anchor: 'muted',
      say({ bench: { run, baseline } }) {
        if (!run || !baseline) return undefined
        const [was, is] = [baseline, run].map((of) => percent(atDistance(of.head, 1).mean)) as [string, string]
        return {
          en: sentence`Without them the diagonal is gone: the token before gets ${is} on average, instead of ${was}.`,
          ko: sentence`그러자 대각선이 사라집니다. 바로 앞 토큰의 평균 가중치: ${was} → ${is}.`,
          hu: sentence`Nélkülük eltűnik az átló: az előző token átlagos súlya ${was} volt, most ${is}.`,
        }
      },
    },
    {
      view: 'mute',
      anchor: 'curve',
      say({ bench: { cursor }, before: { current: a }, after: { current: b } }) {
        if (!a || !b) return undefined
        const reach = reachFor(cursor.query - cursor.key)
        const [was, is] = [score(a.score), score(b.score)]
        const [wide, narrow] = [a, b].map(({ sweep }) => score(spanOf({ values: sweep, reach }))) as [string, string]
        return {
          en: sentence`The score goes from ${was} to ${is}. Over all distances it varied by ${wide}, now by ${narrow}.`,
          ko: sentence`점수: ${was} → ${is}. 거리에 따른 점수의 폭: ${wide} → ${narrow}.`,
          hu: sentence`A pontszám ${was} volt, most ${is}. A távolságtól függő ingása ${wide} volt, most ${narrow}.`,
        }
      },
    },
    {
      anchor: 'guess',
      say({ bench: { run, baseline } }) {
        const [was, is] = [namedGuess(baseline), namedGuess(run)]
        if (!was || !is) return undefined
        const [before, after, once, now] = [was.token, is.token, was.chance, is.chance]
        return {
          en: sentence`One head of many: the model’s best guess was ${before}, ${once}, and is now ${after}, ${now}.`,
          ko: sentence`헤드 하나일 뿐입니다. 모델의 최상위 예측: 전에는 ${before} ${once}, 지금은 ${after} ${now}.`,
          hu: sentence`Egy fej a sokból: a modell első jóslata ${before}, ${once} volt, most ${after}, ${now}.`,
        }
      },
    },
  ],
})
