import { distances } from '../../charts/head-grid/messages.hu'
import {
  decimal,
  integer,
  significant,
  capital,
  plain,
  score as scoreText,
  signed,
  tokenName,
  wavelength,
  percent,
  the,
} from '../../i18n/numbers'
import { key, link, number, query, sentence, strong, together, type Sentence, type Token } from '../../i18n/rich'
import type { Messages, ScoreFacts } from './messages.en'
import { partsOfSource, type ScoreKind } from './formula'

const named = ({ text, position }: Token) => tokenName(text, position)

const degrees = (radians: number) => `${decimal((radians * 180) / Math.PI, 0)}°`

/** A key with this weight is found by its query. */
const found = 0.1
/** Hands that are less apart are in line. */
const inLine = (15 * Math.PI) / 180

/** The score of `of` among those of all keys that the query sees. */
function rowTitle(of: Sentence, { score, sites, peak, row, key: own }: ScoreFacts): Sentence {
  if (!row || peak === 'flat')
    return [
      ...of,
      ...sentence`${number(scoreText(score), sites.score)}, és a lekérdezés minden látott kulcsával ugyanennyi.`,
    ]
  if (row.best.position === own.position)
    return [
      ...of,
      ...sentence`${number(scoreText(score), sites.score)}: ${integer(row.keys)} kulcs közül a legnagyobb.`,
    ]
  const highest = sentence`${number(scoreText(score), sites.score)}; ${integer(row.keys)} kulcs közül a legnagyobb pontszám: ${key(row.best)}, ${scoreText(peak.score)}.`
  return [...of, ...highest]
}

function sourceOf(kind: ScoreKind): string {
  const parts = {
    added:
      'A pozíciók a 0. réteg előtt adódnak a beágyazásokhoz. A lekérdezés és a kulcs tartalmazza őket, és semmi sem forog: egy pár két szomszédos komponens.',
    rotated:
      'RoFormer (Su és mások 2021, arXiv 2104.09864), 35. egyenlet: qᵢ és kᵢ az i. pár két koordinátája forgatás előtt, φᵢ a kettő közötti szög. A θᵢ frekvenciák ennek a modellnek a sajátjai.',
    linear:
      'RoFormer (Su és mások 2021, arXiv 2104.09864), 19. egyenlet: q és k a lekérdezés és a kulcs a jellemzőleképezés után, qᵢ és kᵢ az i. pár két koordinátája, φᵢ a kettő közötti szög. A θᵢ frekvenciák ennek a modellnek a sajátjai.',
    factor: `E modell szorzója, s: ${plain(kind.factor ?? 0)}, nem 1/√d.`,
    softmax:
      'A softmax egy sor pontszámaiból készíti a súlyokat, ezért egy sor két pontszámának különbsége a súlyaik arányának logaritmusa: az összeget ezzel vetjük össze.',
    noSoftmax:
      'Itt nincs softmax: egy súly a pontszám osztva a sor forgatás nélküli szorzatainak összegével. Egy sor két pontszámának aránya a súlyaiké: az összeget ezzel vetjük össze.',
    rotatedFirst:
      'Itt a forgatás megelőzi a jellemzőleképezést. A modell pontszáma ilyenkor nem ilyen részek összege, és eltér tőle.',
    bound: 'A korlát a 37. egyenlet e lekérdezés és kulcs max |hᵢ₊₁ − hᵢ| értékével.',
    curve:
      'A görbe mindkét vektort megtartja, és csak a távolságot változtatja; más szövegben a vektorok mások volnának.',
    stems: 'Minden szár ugyanannak a lekérdezésnek a pontszáma egy másik token kulcsával.',
    value: 'Hogy mit hordoz az érték, az nem látszik.',
  }
  return partsOfSource(kind)
    .map((part) => parts[part])
    .join(' ')
}

export default {
  help: 'A lekérdezés (kék) és a kulcs (narancs; pontozva: forgatás előtt) három párja, és amit minden pár a pontszámukhoz ad.',
  unrotatedHelp: 'Amit a lekérdezés és a kulcs komponenspárjai a pontszámukhoz adnak. Itt semmi sem forog.',
  source: sourceOf({ rotates: true, attention: 'softmax', factor: undefined }),
  sourceOf,
  barsLabel: 'Frekvenciapárok, a gyorsaktól a lassúakig',
  unrotatedBars: 'Komponenspárok',
  noPair: 'nincs pár kiválasztva',
  total: 'pontszám',
  agrees: ['a modellel', 'egyezik ✓'],
  differs: (by) => ['eltérés a', 'modelltől', scoreText(by)],
  masked: ['maszkolt:', '0 súly'],
  slowest: (count, sum) => `a leglassabb ${count}: ${signed(sum)}`,
  axis: 'pár',
  partsTitle: (pairs) => `Mit ad mind ${the(pairs)} ${integer(pairs)} pár`,
  legend: { order: 'gyors → lassú', adds: 'hozzáad', takes: 'elvesz' },
  pairValue: (pair, turn, part, sum) =>
    `${pair}. pár, ${
      Number.isFinite(turn) ? `egy fordulat: ${wavelength(turn)} token` : 'nem forog'
    }: része ${signed(part)}, összeg eddig ${signed(sum)}`,
  label: (facts, state, by) => {
    const checked = {
      agrees: ', mint a modellben',
      differs: `, a modelltől ${scoreText(by)} az eltérés`,
      masked: ', maszkolt: a modell ennek a kulcsnak nem ad súlyt',
      unchecked: '',
    }
    return `${named(facts.query)} és ${named(facts.key)}: pontszám ${scoreText(facts.score)}${checked[state]}. Súlya a sorban ${percent(facts.weight)}.`
  },
  sweepTitle: 'Ugyanez a lekérdezés és kulcs minden távolságnál',
  sweepLabel: 'A kulcs mozgatása a szöveg mentén',
  highest: ({ distance: at, peak, row, isMasked }) => {
    if (row)
      return [
        'A modell a pozíciókat a 0. réteg előtt adta hozzá: ezekben a mutatókban már benne vannak.',
        ...(isMasked ? [] : [' Minden pont egy token saját kulcsa.']),
      ]
    if (peak === 'flat') return sentence`Minden távolságnál ugyanaz.`
    if (peak.distance === at) return sentence`Pontosan itt a legnagyobb: ${strong(distances.where(at))}.`
    return sentence`Itt a legnagyobb: ${strong(distances.where(peak.distance))}.`
  },
  marker: (token, at, score) => `${token}, ${distances.short(at)}: ${scoreText(score)}`,
  ghost: (token, at, score) =>
    `${token === undefined ? '' : `${token} helyén, `}${distances.short(at)}: ${scoreText(score)}`,
  sweepValue: (distance, score) => `${distances.where(distance)}: pontszám ${scoreText(score)}`,
  score: (score) => scoreText(score),
  dashed: (pair) => `szaggatva: csak ${the(pair)} ${pair}. pár`,
  dotted: (times) => `pontozva: korlát ÷ ${significant(times, 2)}`,
  ceiling: (here, href) =>
    sentence`A ${link('hosszú távú csökkenés', href)} korlát: kettejük pontszáma itt legfeljebb ${strong(plain(here))}.`,
  bound: 'csökkenési korlát',
  boundHelp: 'A cikk korlátja a görbe fölött',
  pairTable: 'Mit ad minden frekvenciapár',
  pairHeader: ['pár', 'tokenek egy fordulathoz', 'része', 'összeg eddig'],
  unrotatedTable: 'Mit ad minden komponenspár',
  unrotatedHeader: ['pár', 'része', 'összeg eddig'],
  sweepTable: 'A pontszám minden távolságnál',
  sweepHeader: (pair) => ['lekérdezés − kulcs', 'pontszám', `csak ${the(pair)} ${pair}. pár`, 'a cikk korlátja'],
  row: {
    help: 'A lekérdezés (kék) és a kulcs (narancs) három párja, és amit minden pár a pontszámhoz ad. Semmi sem forog.',
    title: (all) => `Ugyanez a lekérdezés ${all ? 'minden token' : 'a környező tokenek'} kulcsával`,
    label: 'Végig a szöveg kulcsain',
    marker: (token, at, score) => `${token}${at === undefined ? '' : `, ${distances.short(at)}`}: ${scoreText(score)}`,
    value: (token, at, score) =>
      `${named(token)}, ${at === undefined ? 'a forrásban' : distances.where(at)}: pontszám ${scoreText(score)}`,
    caption: ({ key: own, at, distance, isOwn, score, own: ownScore, main }) => {
      const place = distance === undefined ? 'A forrásban' : capital(distances.where(distance))
      if (isOwn && main)
        return sentence`${place} ${key(at)} áll: a pontszám ${scoreText(score)}. Legjobban ${the(main.pair)} ${String(main.pair)}. pár ${main.part < 0 ? 'csökkenti' : 'növeli'}: ${signed(main.part)}.`
      return sentence`${place} ${key(at)} áll: ezzel a kulccsal a pontszám ${scoreText(score)}, ${key(own)} kulcsával ${scoreText(ownScore)} (különbség: ${signed(score - ownScore)}). Más token, más helyen.`
    },
    table: 'A pontszám minden token kulcsával',
    header: ['pozíció', 'token', 'pontszám'],
  },
  why: ({ query: asks, key: answers, distance, score, weight, peak, main, fastest, isMasked, row }) => {
    if (!main || main.part <= 0 || score <= 0 || isMasked) return undefined
    const part = `${signed(main.part)} (összesen ${scoreText(score)})`
    if (row)
      return sentence`${query(asks)} és ${key(answers)} között ${the(main.pair)} ${String(main.pair)}. pár (${String(2 * main.pair)}. és ${String(2 * main.pair + 1)}. komponens) adja a legtöbbet: ${part}.`
    if (!fastest || peak === 'flat') return undefined
    if (weight >= found && main.pair === fastest.pair && fastest.angle < inLine && distance !== 0)
      return sentence`Miért talál rá ${query(asks)} erre: ${key(answers)}? Ott a leggyorsabb, ${the(main.pair)} ${String(main.pair)}. pár mutatói közt ${degrees(fastest.angle)} a szög, részük ${part}.`
    return sentence`${query(asks)} és ${key(answers)} között ${the(main.pair)} ${String(main.pair)}. pár adja a legtöbbet: ${part}.`
  },
  caption: ({ key: moved, at, distance, isOwn, pair, angle, part, own, score }) => {
    const hands = `a leggyorsabb mutatók közötti szög ${degrees(angle)}`
    if (isOwn)
      return sentence`${capital(distances.short(distance))}, ${key(moved)} saját helyén, ${hands}: ${the(pair)} ${String(pair)}. pár része ${signed(part)}. Pontszám: ${scoreText(score)}.`
    const place = at === undefined ? [] : sentence` ${key(at)} helyén,`
    return [
      `${capital(distances.short(distance))},`,
      ...place,
      ` ${hands}: ${the(pair)} ${pair}. pár része ${signed(part)} volna (a saját helyén ${signed(own)}).`,
    ]
  },
  headline: (facts) => {
    const { query: asks, key: answers, head, score, weight, distance: at, peak, near, pairs, main, row, sites } = facts
    const most = main && main.part < 0 ? 'csökkenti' : 'növeli'
    const part = main
      ? `; ${pairs} pár közül ${the(main.pair)} ${main.pair}. ${most} legjobban: ${signed(main.part)}`
      : ''
    const line = sentence`${head} fej: a pontszám ${number(scoreText(score), sites.score)}, a sor súlyából ${number(percent(weight), sites.weight)}${part}.`
    const of = sentence`${query(asks)} és ${key(answers)} pontszáma `
    if (row && !facts.isMasked) return { title: rowTitle(of, facts), line }
    if (row)
      return {
        title: [...of, ...sentence`${number(scoreText(score), sites.score)}, de a lekérdezés nem látja ezt a kulcsot.`],
        line,
      }
    if (peak === 'flat') return { title: [...of, 'minden távolságnál ugyanaz.'], line }
    if (peak.distance === at)
      return { title: [...of, `a saját távolságuknál a legnagyobb: ${distances.where(at)}.`], line }
    if (near) {
      return {
        title: [...of, `a saját távolságuknál majdnem a legnagyobb: ${distances.where(at)}.`],
        line: together([line, `A legnagyobb ${distances.where(peak.distance)}: ${scoreText(peak.score)}.`]),
      }
    }
    return {
      title: [...of, `${distances.where(peak.distance)} volna a legnagyobb; a kulcs ${distances.where(at)} áll.`],
      line: together([line, `${capital(distances.where(peak.distance))} ${scoreText(peak.score)} volna.`]),
    }
  },
} satisfies Messages
