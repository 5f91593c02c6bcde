// A head that looks one token back, and why: its fastest pair lines up there.
import { weightAt } from '../../../charts/matrix'
import { angleAt, rotationText } from '../../../charts/dials/dials'
import { integer, percent, score, signed } from '../../../i18n/numbers'
import { sentence } from '../../../i18n/rich'
import { explain } from '../../../views/score/data'
import { atDistance, named } from './measures'
import { sceneOf, story } from './story.svelte'

export const oneBack = story({
  id: 'oneBack',
  name: { en: 'One back', ko: '하나 앞', hu: 'Eggyel vissza' },
  scene: sceneOf('oneBack', 'roformer-english', ['map', 'score']),
  sources(bench) {
    const explained = explain({
      bench,
      get run() {
        return bench.run
      },
      get cursor() {
        return bench.cursor
      },
      params: { bound: 'off' },
    })
    return { bench, explained }
  },
  captions: [
    {
      view: 'map',
      anchor: 'all',
      say({ bench: { run, cursor } }) {
        if (!run) return undefined
        const { head } = named(run, cursor)
        const { of, largest, mean } = atDistance(run.head, 1)
        const [some, all, most] = [integer(largest), integer(of), percent(mean)]
        return {
          en: sentence`A row is a token that looks: in ${head} ${some} of ${all} look one back, with ${most} on average.`,
          ko: sentence`행 하나는 보는 쪽 토큰 하나입니다. ${head}에서는 ${all}개 중 ${some}개가 바로 앞 토큰을 보고, 가중치는 평균 ${most}입니다.`,
          hu: sentence`Minden sor egy néző token: az ${head} fejben ${all} közül ${some} az előzőt nézi, átlagosan ${most} súllyal.`,
        }
      },
    },
    {
      view: 'map',
      anchor: 'cell',
      say({ bench: { run, cursor } }) {
        if (!run) return undefined
        const { asks, answers } = named(run, cursor)
        const part = percent(weightAt(run.head, cursor.query, cursor.key))
        return {
          en: sentence`${asks} gives ${answers}, the token before it, ${part} of its weight.`,
          ko: sentence`${asks} → 바로 앞의 ${answers}: 가중치는 ${part}입니다.`,
          hu: sentence`${asks} súlyából ${part} jut a megelőző tokennek: ${answers}.`,
        }
      },
    },
    {
      view: 'score',
      anchor: 'dials',
      say({ explained: { explained, stale } }) {
        const fastest = explained?.hands[0]
        if (!explained || !fastest || stale) return undefined
        const distance = explained.query - explained.key
        const between = angleAt(fastest, distance)
        const nearest = Math.abs(Math.atan2(Math.sin(between), Math.cos(between)))
        const [pair, rotation] = [integer(fastest.pair), rotationText(distance * fastest.theta)]
        const rest = `${integer((nearest * 180) / Math.PI)}°`
        const part = explained.waterfall.steps.find((step) => step.pair === fastest.pair)?.part ?? 0
        const adds = signed(part)
        return {
          en: sentence`Rotation turns the key of pair ${pair} by ${rotation}. It is now ${rest} from the query and adds ${adds}.`,
          ko: sentence`회전이 ${pair}번 쌍의 키를 ${rotation} 돌립니다. 이제 쿼리와 ${rest} 떨어져 있어, 그 몫은 ${adds}입니다.`,
          hu: sentence`A forgatás ennyivel fordítja el a ${pair}. pár kulcsát: ${rotation}. Most ${rest} választja el a lekérdezéstől: része ${adds}.`,
        }
      },
    },
    {
      view: 'score',
      anchor: 'curve',
      say({ explained: { explained, stale } }) {
        if (!explained || stale) return undefined
        const { distance, score: highest } = explained.peak
        const [back, top] = [integer(distance), score(highest)]
        return {
          en: sentence`The same two at every distance: the curve is highest ${back} back, at ${top}.`,
          ko: sentence`같은 쿼리와 키를 거리마다 계산하면, 점수는 ${back}토큰 앞에서 가장 높습니다: ${top}.`,
          hu: sentence`Ugyanez a kettő minden távolságra: a görbe ${back} tokennel vissza a legmagasabb, ${top}.`,
        }
      },
    },
  ],
})
