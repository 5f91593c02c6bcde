// What rotation adds to each score, and what of the weights it leaves.
import { weightAt } from '../../../charts/matrix'
import { integer, percent, signed } from '../../../i18n/numbers'
import { sentence } from '../../../i18n/rich'
import { resource } from '../../../session/resource.svelte'
import { partBelow, named } from './measures'
import { sceneOf, story } from './story.svelte'

/** A score that is lower by this much has e⁵ = 148 times less weight. */
const loss = 5

export const rotationForbids = story({
  id: 'rotationForbids',
  name: { en: 'Rotation forbids', ko: '회전이 막는 것', hu: 'Tiltó forgatás' },
  scene: sceneOf('oneBack', 'roformer-english', ['map', 'score'], { viewParams: { 'map.kind': 'rotation' } }),
  sources: (bench) => ({
    bench,
    map: resource(bench.engine, 'map', () => {
      const { run } = bench
      if (!run) return undefined
      const { layer, head } = run.head
      return { params: { run: run.id, kind: 'rotation' as const, heads: [{ layer, head }] } }
    }),
  }),
  captions: [
    {
      view: 'map',
      anchor: 'all',
      say({ map: { current } }) {
        if (!current) return undefined
        const { numbers } = current
        const adds = signed(numbers.reduce((most, one) => Math.max(most, one)))
        const takes = signed(numbers.reduce((least, one) => Math.min(least, one)))
        return {
          en: sentence`Each cell is what rotation adds to a score: from ${takes} to ${adds}.`,
          ko: sentence`칸마다 회전이 점수에 더한 값입니다. ${takes}부터 ${adds}까지 있습니다.`,
          hu: sentence`Minden mező az, amit a forgatás a pontszámhoz ad: ${takes} és ${adds} között.`,
        }
      },
    },
    {
      view: 'map',
      anchor: 'cell',
      say({ bench: { run, cursor }, map: { current } }) {
        if (!run || !current) return undefined
        const { asks, answers } = named(run, cursor)
        const here = weightAt({ attention: current.numbers, length: run.head.length }, cursor.query, cursor.key)
        const adds = signed(here)
        return {
          en: sentence`Between ${asks} and ${answers}, the token before it, it changes the score by ${adds}.`,
          ko: sentence`${asks} → 바로 앞의 ${answers}: 회전이 점수를 ${adds}만큼 바꿉니다.`,
          hu: sentence`${asks} és a megelőző ${answers} között ennyivel változtatja a pontszámot: ${adds}.`,
        }
      },
    },
    {
      view: 'map',
      anchor: 'all',
      scene: { viewParams: {} },
      say({ bench: { run }, map: { current } }) {
        if (!run || !current) return undefined
        const part = partBelow(run.head, current.numbers, -loss)
        const [limit, cells, left] = [integer(loss), percent(part.cells, 0), percent(part.weight)]
        return {
          en: sentence`The weights: in ${cells} of the cells rotation subtracts more than ${limit}. They get ${left} of all weight.`,
          ko: sentence`이번에는 가중치입니다. 회전이 점수에서 ${limit} 넘게 뺀 칸은 ${cells}인데, 그 칸들의 가중치는 전체의 ${left}입니다.`,
          hu: sentence`A mezők ${cells} részén a forgatás több mint ${limit} pontot vesz el: ott az összes súly ${left} része.`,
        }
      },
    },
  ],
})
