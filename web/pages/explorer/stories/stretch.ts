// The rope stretched: a model that was not trained for it looks elsewhere.
import { integer, percent } from '../../../i18n/numbers'
import { sentence } from '../../../i18n/rich'
import { alignSame, elsewhere } from '../../../views/compare/maps'
import { atDistance, strongestBack, named, namedGuess } from './measures'
import { sceneOf, story } from './story.svelte'

const factor = 4
const scaling = JSON.stringify({ rope_type: 'linear', factor })

export const stretch = story({
  id: 'stretch',
  name: { en: 'Stretch RoPE ×4', ko: 'RoPE를 4배로', hu: 'Nyújtás ×4' },
  scene: sceneOf('oneBack', 'roformer-english', ['compare'], { scaling }),
  sources: (bench) => bench,
  captions: [
    {
      view: 'compare',
      anchor: 'a',
      say({ baseline, cursor }) {
        if (!baseline) return undefined
        const { head } = named(baseline, cursor)
        const mean = percent(atDistance(baseline.head, 1).mean)
        return {
          en: sentence`A is the model as trained: ${head} gives the token before ${mean} on average.`,
          ko: sentence`A는 학습한 RoPE 그대로입니다. ${head}에서 바로 앞 토큰의 가중치는 평균 ${mean}입니다.`,
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
        const [mean, most] = [percent(atDistance(run.head, 1).mean), strongestBack(run.head)]
        const [times, back, there] = [integer(factor), integer(most.distance), percent(most.mean)]
        return {
          en: sentence`B, angles divided by ${times}: one back gets ${mean}. Most, ${there}, goes to the token ${back} back.`,
          ko: sentence`B는 각을 ${times}로 나눈 것입니다. 바로 앞 토큰은 ${mean}, 가장 많이 받는 ${back}토큰 앞은 ${there}입니다.`,
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
        const moved = percent(elsewhere(baseline.head, run.head, alignSame(run.head.length)) ?? 0, 0)
        return {
          en: sentence`Green weight is gone, magenta is new: ${moved} of a row’s weight moved elsewhere.`,
          ko: sentence`초록은 사라진 것, 자홍은 새로 생긴 것입니다. 행의 가중치 가운데 ${moved}가 다른 곳으로 옮겨 갔습니다.`,
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
          ko: sentence`모든 헤드의 RoPE를 늘였습니다. 모델의 최상위 예측: 전에는 ${before} ${once}, 지금은 ${after} ${now}.`,
          hu: sentence`A RoPE minden fejben megnyúlt. A modell első jóslata ${before}, ${once} volt; most ${after}, ${now}.`,
        }
      },
    },
  ],
})
