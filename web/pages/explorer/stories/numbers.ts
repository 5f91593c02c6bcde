// A number in the reader's own language, written out by a model that knows it: a head reads the digit that comes next.
import { weightAt } from '../../../charts/matrix'
import type { Language } from '../../../i18n/language'
import { integer, percent } from '../../../i18n/numbers'
import { key, sentence } from '../../../i18n/rich'
import type { ExampleId } from '../../../viewstate/examples'
import { largestIn, named, namedGuess } from './measures'
import { sceneOf, story, type ByLanguage, type Scene, type Story } from './story.svelte'

/** @param text the number and its words, of which the last is left for the model */
const numbers = (name: ByLanguage<string>, example: ExampleId, scene: Pick<Scene, 'text' | 'query'>): Story =>
  story({
    id: example,
    name,
    // The key is the last digit.
    scene: sceneOf(example, 'marian-numbers', ['map', 'predictions'], { layer: 1, head: 0, key: 4, ...scene }),
    sources: (bench) => bench,
    captions: [
      {
        view: 'map',
        anchor: 'cell',
        say({ run, cursor }) {
          if (!run) return undefined
          const { head, asks } = named(run, cursor)
          const answers = key(run.reading.display[cursor.key] ?? '')
          const part = percent(weightAt(run.head, cursor.query, cursor.key))
          return {
            en: sentence`In ${head} the row of ${asks} gives ${part} of its weight to the digit ${answers}.`,
            ko: sentence`${head}에서 ${asks}의 행이 숫자 ${answers}에 주는 가중치는 ${part}입니다.`,
            hu: sentence`Az ${head} fejben ${asks} sora ${part} súlyt ad ennek a számjegynek: ${answers}.`,
          }
        },
      },
      {
        view: 'map',
        anchor: 'all',
        say({ run }) {
          const { pair } = run?.reading ?? {}
          if (!run || !pair) return undefined
          const { display } = run.reading
          const rows = Array.from({ length: display.length - pair.source.length }, (_, at) => pair.source.length + at)
          const onDigit = rows.filter((row) => /^\d$/.test(display[largestIn(run.head, row)] ?? ''))
          const [some, all] = [integer(onDigit.length), integer(rows.length)]
          return {
            en: sentence`A row shows what is read while the next word is written: ${some} of ${all} look most at a digit.`,
            ko: sentence`행은 다음 낱말을 쓰는 동안 읽는 것입니다. ${all}행 가운데 ${some}행이 숫자를 가장 많이 봅니다.`,
            hu: sentence`Egy sor: amit a modell a következő szó írásakor olvas. ${all} sorból ${some} leginkább számjegyre néz.`,
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
            en: sentence`And the likeliest next token is ${token}, with ${chance}.`,
            ko: sentence`그리고 가장 그럴듯한 다음 토큰은 ${token}입니다. 확률은 ${chance}입니다.`,
            hu: sentence`És a legvalószínűbb következő token: ${token}, esélye ${chance}.`,
          }
        },
      },
    ],
  })

export const numbersKo = numbers({ en: '1984 in Korean', ko: '한국어로 1984', hu: '1984 koreaiul' }, 'yearKo', {
  text: '>>ko<<1984\t천구백팔십',
  query: 11,
})

export const numbersHu = numbers({ en: '1984 in Hungarian', ko: '헝가리어로 1984', hu: '1984 magyarul' }, 'yearHu', {
  text: '>>hu<<1984\tezerkilencszáznyolcvan',
  query: 10,
})

/** For readers of another language than the page’s first model: a sentence about what it reads, and the story of a model that knows theirs. */
export const readsEnglish: Partial<Record<Language, { story: Story; line: string }>> = {
  ko: { story: numbersKo, line: '기본 모델은 영어를 읽습니다. 한국어 수를 아는 모델:' },
  hu: { story: numbersHu, line: 'Az alapmodell angolul olvas; egy másik:' },
}
