// The rope stretched: a model that was not trained for it looks elsewhere.
import { weight } from '../../../i18n/format'
import { integer, percent as rounded } from '../../../i18n/numbers'
import { sentence } from '../../../i18n/rich'
import { alignSame, elsewhere } from '../../../views/compare/maps'
import { atDistance, strongestBack } from './measures'
import { named, namedGuess } from './named'
import { sceneOf, story } from './story'

const factor = 4
const scaling = JSON.stringify({ rope_type: 'linear', factor })

export const stretch = story({
  id: 'stretch',
  name: { en: 'Stretch ×4', ko: '로프를 4배로', hu: 'A kötél ×4' },
  scene: sceneOf('oneBack', 'roformer-english', ['compare'], { scaling }),
  sources: (bench) => bench,
  captions: [
    {
      view: 'compare',
      anchor: 'a',
      say({ baseline, cursor }) {
        if (!baseline) return undefined
        const { head } = named(baseline, cursor)
        const mean = weight(atDistance(baseline.head, 1).mean)
        return {
          en: sentence`A, with the rope of its training: ${head} gives the token before ${mean} on average.`,
          ko: sentence`A는 학습 때의 로프이다. ${head}는 바로 앞 토큰에 평균 ${mean}을 준다.`,
          hu: sentence`A, ahogyan tanították: az ${head} fej az előző tokennek átlagosan ${mean} súlyt ad.`,
        }
      },
    },
    {
      view: 'compare',
      anchor: 'b',
      // A phone shows one map.
      scene: { viewParams: { 'compare.show': 'b' } },
      say({ run }) {
        if (!run) return undefined
        const [mean, most] = [weight(atDistance(run.head, 1).mean), strongestBack(run.head)]
        const [times, back, there] = [integer(factor), integer(most.distance), weight(most.mean)]
        return {
          en: sentence`B, angles divided by ${times}: one back gets ${mean}. Most, ${there}, goes to the token ${back} back.`,
          ko: sentence`B는 각을 ${times}로 나누었다. 바로 앞은 ${mean}이고, ${back}토큰 앞이 ${there}로 가장 많다.`,
          hu: sentence`B, ${times}-szer kisebb szögek: az előző token ${mean} súlyt kap. A legtöbb, ${there}, ${back} tokennel visszább jut.`,
        }
      },
    },
    {
      view: 'compare',
      anchor: 'difference',
      scene: { viewParams: { 'compare.show': 'difference' } },
      say({ run, baseline }) {
        if (!run || !baseline || run.head.length !== baseline.head.length) return undefined
        const moved = rounded(elsewhere(baseline.head, run.head, alignSame(run.head.length)) ?? 0, 0)
        return {
          en: sentence`Green is gone, magenta is new: ${moved} of a row’s weight lies elsewhere now.`,
          ko: sentence`초록은 사라진 것, 자홍은 새로 생긴 것이다. 행의 가중치 가운데 ${moved}가 다른 곳에 있다.`,
          hu: sentence`Zöld, ami eltűnt, bíbor, ami új: egy sor súlyának ${moved} része máshol van.`,
        }
      },
    },
    {
      anchor: 'guess',
      say({ run, baseline }) {
        const [was, is] = [namedGuess(baseline), namedGuess(run)]
        if (!was || !is) return undefined
        const [before, after, once, now] = [was.token, is.token, was.chance, is.chance]
        return {
          en: sentence`All heads are stretched. The model’s best guess was ${before}, ${once}; now it is ${after}, ${now}.`,
          ko: sentence`모든 헤드가 늘어났다. 모델의 첫째 추측은 ${before} ${once}였고, 이제 ${after} ${now}이다.`,
          hu: sentence`Minden fej nyúlt. A modell első tippje ${before}, ${once} volt; most ${after}, ${now}.`,
        }
      },
    },
  ],
})
