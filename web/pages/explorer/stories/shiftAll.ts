// All positions moved: hands race, and no weight moves.
import { weightAt } from '../../../charts/matrix'
import { decimal, degrees, difference, integer, percent } from '../../../i18n/numbers'
import { sentence } from '../../../i18n/rich'
import { parseInterventions } from '../../../session/interventions'
import { layerTheta, type Run } from '../../../session/runs.svelte'
import { resource } from '../../../session/resource.svelte'
import type { Bench } from '../../../session/bench.svelte'
import { differencesOf } from '../../../views/shift/data'
import { named } from './measures'
import { sceneOf, story } from './story.svelte'

const scene = sceneOf('oneBack', 'roformer-english', ['shift', 'map'], { offset: 10_000 })

/** Turns of the fastest pair up to the query, as Shift all writes them, and its angle between query and key. */
function handsOf(run: Run, { query, key }: Bench['cursor']): { position: string; turns: string; between: string } {
  const { offset } = parseInterventions(run.interventions)
  const fastest = Math.max(...layerTheta(run))
  const turns = ((query + offset) * fastest) / (2 * Math.PI)
  return {
    position: integer(query + offset),
    turns: turns < 10 ? decimal(turns, 2) : integer(Math.floor(turns)),
    between: degrees(Math.abs(query - key) * fastest),
  }
}

export const shiftAll = story({
  id: 'shiftAll',
  name: { en: 'Shift by 10,000', ko: '10,000만큼 옮기기', hu: 'Eltolás 10 000-rel' },
  scene,
  sources: (bench) => ({
    bench,
    differences: resource(bench.engine, 'differences', () => {
      const { run } = bench
      const { offset } = parseInterventions(run?.interventions ?? '')
      return run && offset > 0 ? differencesOf(run, offset) : undefined
    }),
  }),
  captions: [
    {
      view: 'shift',
      anchor: 'dials',
      scene: { offset: 0 },
      say({ bench: { run, cursor } }) {
        if (!run) return undefined
        const { asks, answers } = named(run, cursor)
        const { turns, between } = handsOf(run, cursor)
        return {
          en: sentence`The fastest hand of ${asks} has made ${turns} turns, and stands ${between} from that of ${answers}.`,
          ko: sentence`${asks}의 가장 빠른 바늘은 ${turns}바퀴를 돌아, ${answers}의 바늘과 ${between} 벌어져 있습니다.`,
          hu: sentence`${asks} leggyorsabb mutatója ${turns} fordulatot tett, és ${between} választja el ${answers} mutatójától.`,
        }
      },
    },
    {
      view: 'shift',
      anchor: 'dials',
      say({ bench: { run, cursor } }) {
        if (!run) return undefined
        const { position, turns, between } = handsOf(run, cursor)
        return {
          en: sentence`Moved to position ${position} it has made ${turns} turns, and so has the other: still ${between}.`,
          ko: sentence`위치 ${position}에서는 ${turns}바퀴를 돌지만 다른 바늘도 함께 돕니다. 사잇각은 그대로 ${between}입니다.`,
          hu: sentence`Az új helyen (${position}) már ${turns} fordulatot tett, de a másik is: köztük továbbra is ${between} van.`,
        }
      },
    },
    {
      view: 'map',
      anchor: 'cell',
      say({ bench: { run, baseline, cursor } }) {
        if (!run || !baseline) return undefined
        const { asks, answers } = named(run, cursor)
        const [was, is] = [baseline, run].map(({ head }) => percent(weightAt(head, cursor.query, cursor.key))) as [
          string,
          string,
        ]
        return {
          en: sentence`${asks} gives ${answers} ${is} of its weight, and gave ${was} before the shift.`,
          ko: sentence`${asks} → ${answers}의 가중치는 ${is}입니다. 옮기기 전의 값은 ${was}입니다.`,
          hu: sentence`${asks} most ${is} súlyt ad ennek: ${answers}. Az eltolás előtt ${was} volt.`,
        }
      },
    },
    {
      view: 'shift',
      anchor: 'chart',
      say({ bench: { run }, differences: { current } }) {
        if (!run || !current) return undefined
        const { num_hidden_layers, num_attention_heads } = run.model.info
        const heads = num_hidden_layers * num_attention_heads
        const [count, all] = [integer(heads * run.head.attention.length), integer(heads)]
        const most = difference(current.weight)
        return {
          en: sentence`Of ${count} weights in ${all} heads the largest change is ${most}: only distances count.`,
          ko: sentence`헤드 ${all}개의 가중치 ${count}개 중 가장 큰 변화가 ${most}입니다. 거리만 중요합니다.`,
          hu: sentence`${all} fej ${count} súlya közül a legnagyobb változás ${most}: csak a távolság számít.`,
        }
      },
    },
  ],
})
