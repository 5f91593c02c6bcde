// A causal model's head that finds what followed the same words before, and copies it.
import { weightAt } from '../../../charts/matrix'
import { integer, list, percent, plural, tokenName } from '../../../i18n/numbers'
import { key, query, sentence } from '../../../i18n/rich'
import type { Bench } from '../../../session/bench.svelte'
import type { Run } from '../../../session/runs.svelte'
import { followers, named, namedGuess } from './measures'
import { sceneOf, story } from './story.svelte'

const layer = 3
const head = 4
const scene = sceneOf('phraseAgain', 'roformer-english-causal', ['map', 'predictions'], {
  layer,
  head,
  query: 21,
  key: 13,
})

/** The selected query, and the tokens that followed its phrase before. */
function phraseOf({ reading }: Run, { query: at }: Bench['cursor']) {
  const token = (position: number) => reading.display[position] ?? ''
  const keys = followers(reading.ids, at)
  return {
    keys,
    phrase: query(`${token(at - 1)} ${token(at)}`),
    count: keys.length,
    came: list(keys.map((position) => tokenName(token(position), position))),
  }
}

/** The probability of a token where the model predicts the next one. */
function chanceOf({ result }: Run, id: number): number | undefined {
  const rank = result.topIds.indexOf(id)
  return rank < 0 ? undefined : result.topProbabilities[rank]
}

export const copying = story({
  id: 'copying',
  name: { en: 'Copying', ko: '베끼기', hu: 'Másolás' },
  scene,
  sources: (bench) => bench,
  captions: [
    {
      anchor: 'tokens',
      say({ run, cursor }) {
        if (!run) return undefined
        const { phrase, count, came } = phraseOf(run, cursor)
        const [times, after] = [integer(count), key(came)]
        return {
          en: sentence`Another model, which writes. ${phrase} occurred ${times} ${plural(count, { one: 'time', other: 'times' })} before, followed by ${after}.`,
          ko: sentence`이번에는 글을 쓰는 모델입니다. 앞에서 ${times}번 나온 말: ${phrase}. 그때마다 뒤따른 토큰: ${after}.`,
          hu: sentence`Egy másik modell, amely ír. ${phrase} itt ${times} alkalommal állt már, és ${after} követte.`,
        }
      },
    },
    {
      view: 'map',
      anchor: 'row',
      say({ run, cursor }) {
        if (!run) return undefined
        const { keys, came } = phraseOf(run, cursor)
        const { head, asks } = named(run, cursor)
        const sum = percent(keys.reduce((sum, at) => sum + weightAt(run.head, cursor.query, at), 0))
        const answers = key(came)
        return {
          en: sentence`In ${head} ${asks} gives ${answers} ${sum} of its weight: it looks at what followed.`,
          ko: sentence`${head}: ${asks} → ${answers}의 가중치는 ${sum}입니다. 앞에서 뒤따랐던 토큰을 봅니다.`,
          hu: sentence`Az ${head} fejben ${asks} ${sum} súlyt ad nekik: ${answers}. Azt nézi, ami követte.`,
        }
      },
    },
    {
      view: 'predictions',
      anchor: 'next',
      say({ run }) {
        const guess = namedGuess(run)
        if (!guess) return undefined
        const { token, chance } = guess
        return {
          en: sentence`And the likeliest next token is ${token}, with ${chance} before the settings of sampling.`,
          ko: sentence`그리고 가장 그럴듯한 다음 토큰은 ${token}입니다. 샘플링 설정 전의 확률은 ${chance}입니다.`,
          hu: sentence`És a legvalószínűbb következő token: ${token}, a mintavétel beállításai előtt ${chance}.`,
        }
      },
    },
    {
      view: 'predictions',
      anchor: 'next',
      scene: { ablatedHeads: [{ layer, head }] },
      say({ run, baseline }) {
        const guess = namedGuess(baseline)
        if (!run || !guess) return undefined
        const after = chanceOf(run, guess.id)
        if (after === undefined) return undefined
        const { token, chance: was } = guess
        const is = percent(after)
        return {
          en: sentence`And what does this head do for it? Without its output ${token} gets ${is}, with it ${was}.`,
          ko: sentence`이 헤드는 얼마나 기여할까요? 헤드의 출력이 없으면 ${token}의 확률은 ${is}, 있으면 ${was}입니다.`,
          hu: sentence`És mit tesz ehhez ez a fej? A kimenete nélkül ${token} esélye ${is}, vele együtt ${was}.`,
        }
      },
    },
  ],
})
