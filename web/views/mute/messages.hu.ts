import { added } from '../../charts/held-out-loss/messages.hu'
import { distances } from '../../charts/head-grid/messages.hu'
import {
  decimal,
  integer,
  list,
  capital,
  headName,
  percent,
  plural,
  score as scoreText,
  signed,
  wavelength,
  weight as weightText,
  the,
} from '../../i18n/numbers'
import { key, query, sentence, strong, token, type Sentence } from '../../i18n/rich'
import type { Messages, MuteFacts } from './messages.en'

type Named = MuteFacts['ablated']

function pairsText({ pairs, spans, preset }: Named): string {
  const count = integer(pairs.length)
  if (preset === 'fast' || preset === 'slow')
    return `a ${preset === 'fast' ? 'leggyorsabb' : 'leglassabb'} ${plural(pairs.length, { one: 'pár', other: `${count} pár` })}`
  if (spans.length > 3) return `${count} pár`
  return `${the(spans[0]?.[0] ?? 0)} ${list(spans.map(([first, last]) => (first === last ? `${first}.` : `${first}–${last}.`)))} pár`
}

function change({ ablated, frozen, extent, layer, heads }: MuteFacts): string {
  const parts = [
    ...(ablated.pairs.length > 0 ? [`${pairsText(ablated)} kivágva`] : []),
    ...(frozen.pairs.length > 0 ? [`${pairsText(frozen)} megállítva`] : []),
  ]
  if (parts.length === 0) return 'Más módosítással'
  const place = {
    head: '',
    layer: ` ${the(layer)} ${layer}. réteg minden fejében`,
    all: ` mind ${the(heads)} ${integer(heads)} fejben`,
  }[extent]
  return `${capital(parts.join(' és '))}${place}`
}

const outcome = ({ weight: [before, after] }: MuteFacts) =>
  percent(before) === percent(after)
    ? `továbbra is ${percent(after)} súlyt ad`
    : `${percent(before)} helyett ${percent(after)} súlyt ad`

function moved([before, after]: readonly [number, number]): string {
  const [was, is] = [scoreText(before), scoreText(after)]
  return was === is ? `továbbra is ${is}` : `${was} → ${is}`
}

function guessText(guess: MuteFacts['guess']): Sentence {
  if (!guess) return []
  const chances = `${guess.chance[0]} → ${guess.chance[1]}`
  return guess.before === guess.after
    ? sentence` A jóslat (${guess.place}) marad ${token(guess.after)} (${chances}).`
    : sentence` A jóslat (${guess.place}): ${token(guess.before)} → ${token(guess.after)} (${chances}).`
}

const lossText = (loss: MuteFacts['loss']): string =>
  loss
    ? ` Veszteség a tanításból kihagyott szövegen: ${decimal(loss.before, 2)} → ${decimal(loss.before + loss.added, 2)}.`
    : ''

export default {
  help: 'Frekvenciapárok némítása: a kijelölt fej előtte és utána.',
  source:
    'Egy pár kivágásakor a része minden pontszámban 0; megállításakor (θᵢ = 0) a tartalma marad, a pozíciója eltűnik. Barbero és mások 2024 (arXiv 2410.06205) nyomán: a gyors párok pozíciót hordoznak, a lassúak, ahogy gyanítják, tartalmat. Ez azt mutatja, mi nélkül tud meglenni a betanított modell, nem azt, mit tanult volna e párok nélkül; egy fejet más fejek pótolhatnak. Egy szöveg egyetlen minta: hogy ezen túl mibe kerül, azt egy, a tanításból kihagyott könyv vesztesége méri.',

  which: 'Elnémítva',
  how: 'hogyan',
  where: 'hol',
  preset: (which, count) =>
    which === 'none' ? 'semmi' : `${integer(count)} ${which === 'fast' ? 'leggyorsabb' : 'leglassabb'}`,
  suggest: (count) => capital(`${the(count)} ${integer(count)} leggyorsabb elnémítása`),
  kind: (kind) => ({ ablated: 'kivágva', frozen: 'megállítva' })[kind],
  extent: (extent, layer, head) =>
    ({ head: `${headName({ layer, head })} fej`, layer: `${layer}. réteg`, all: 'minden fej' })[extent],

  switchesLabel: 'Frekvenciapárok, a gyorsaktól a lassúakig',
  switchLabel: (pairs, turn) => {
    const [first = 0] = pairs
    const last = pairs.at(-1) ?? first
    const named = first === last ? `${first}. pár` : `${first}–${last}. pár`
    return `${named}, ${Number.isFinite(turn) ? `egy fordulat: ${wavelength(turn)} token` : 'nem forog'}`
  },
  partsTitle: (asks, answers, short) =>
    sentence`${query(asks)} → ${key(answers)}${short ? ' részei' : ': az egyes párok része'}`,
  read: (pair, turn, before, after, short) => {
    const turning = Number.isFinite(turn) ? `egy fordulat: ${wavelength(turn)} token` : 'nem forog'
    return short
      ? sentence`${strong(`${pair}.`)} pár: A ${signed(before)}, B ${strong(signed(after))}`
      : sentence`${strong(`${pair}.`)} pár, ${turning}: A-ban ${signed(before)}, B-ben ${strong(signed(after))}.`
  },
  shared: (heads) => `${integer(heads)} fej osztozik egy kulcsfejen: a megállított pár mindegyiküknek áll.`,
  elsewhere: 'Más fejek párjai is el vannak némítva.',
  pairAxis: 'pár',
  turnAxis: 'token/fordulat',
  sum: (before, after) => ['összeg', before === undefined ? '' : scoreText(before), scoreText(after)],
  change: (value) => (Math.abs(value) < 0.05 ? '0' : `${value < 0 ? '−' : '+'}${decimal(Math.abs(value), 1)}`),
  mapA: 'A eredeti',
  mapB: (muted) => (muted ? 'B néma' : 'B ugyanaz'),
  mapLabel: 'A és B térképe: lekérdezés és kulcs',
  mapValue: (asks, answers, before, after) =>
    `lekérdezés ${asks}, kulcs ${answers}: A ${weightText(before)}, B ${weightText(after)}`,
  sweepTitle: 'Ugyanez a lekérdezés és kulcs minden távolságnál',
  sweepShort: 'Minden távolságnál',
  sweepLabel: 'A kulcs a görbe mentén',
  sweepNote: 'vékony: A',
  marker: (name, at, score, changed) => `${changed ? 'B ' : ''}${name}, ${distances.short(at)}: ${scoreText(score)}`,
  ghost: (at, before, after) => `${distances.short(at)}: A ${scoreText(before)}, B ${scoreText(after)}`,
  sweepValue: (name, at, before, after) =>
    `${name}, ${distances.where(at)}: a pontszám A-ban ${scoreText(before)}, B-ben ${scoreText(after)}`,
  guess: (place) => `jóslat: ${place}`,
  following: 'a következő token',
  a: 'A',
  b: 'B',
  below: (least) => `< ${percent(least)}`,
  percent,
  pairTable: 'Részek előtte és utána',
  pairHeader: ['pár', 'tokenek egy fordulathoz', 'A', 'B', 'B-ben'],
  kinds: { turns: 'változatlan', frozen: 'megállítva', ablated: 'kivágva' },
  fillTable: 'Jóslatok előtte és utána',
  fillHeader: ['token', 'A', 'B'],
  sweepTable: 'A pontszám minden távolságnál',
  sweepHeader: ['lekérdezés − kulcs', 'A', 'B'],
  headline: (facts) => {
    const { query: asks, key: answers, layer, head, changed, score, weight, gave, ablated, otherwise } = facts
    const name = `az ${headName({ layer, head })} fej`
    if (!changed) {
      return {
        title: sentence`${capital(name)} egyetlen párja sincs elnémítva: ${key(answers)} súlya ${percent(weight[0])}.`,
        line: sentence`${query(asks)} → ${key(answers)} pontszáma ${scoreText(score[0])}. Némítsa el a négy leggyorsabb párt, aztán a leglassabb felét.`,
      }
    }
    // The headline has space for this or for the loss.
    const from =
      ablated.pairs.length > 0 && !facts.loss
        ? `; az eredetiből ezeknek a pároknak a része ${scoreText(gave)} volt`
        : ''
    const also = otherwise ? ' B-ben a többi módosítás is benne van.' : ''
    return {
      title: sentence`${change(facts)}, ${name} ${outcome(facts)} ennek: ${key(answers)}.`,
      line: [
        ...sentence`${query(asks)} → ${key(answers)} pontszáma ${moved(score)}${from}.`,
        ...guessText(facts.guess),
        lossText(facts.loss),
        also,
      ],
    }
  },

  loss: {
    added,
    title: (heads) => `A veszteség növekedése, ha csak egy pár módosul, mind ${the(heads)} ${integer(heads)} fejben`,
    shortTitle: (heads) => `Veszteség páronként, mind ${the(heads)} ${integer(heads)} fejben`,
    kinds: { ablated: 'kivágva', frozen: 'megállítva' },
    tick: (value) => `+${String(value).replace('.', ',')}`,
    fast: 'gyors',
    slow: 'lassú',
    scale: (tokens, book) => `log skála; ${integer(tokens)} maszkolt token${book === '' ? '' : `, „${book}”`}`,
    shortScale: (tokens) => `log skála; n = ${integer(tokens)}`,
    needNotTurn: (first, last) => [
      first === last
        ? `${capital(the(first))} ${first}. párnak nem kell forognia:`
        : `${capital(the(first))} ${first}–${last}. párnak nem kell forognia:`,
      'egyenként 0,001 alatt.',
    ],
    table: 'Veszteség a tanításból kihagyott szövegen',
    header: ['mi módosult', 'veszteség', 'növekedés', 'standard hiba', 'maszkolt tokenek'],
    baseline: 'semmi',
    now: 'ami most módosult',
    alone: (pair, kind) => `${pair}. pár minden fejben ${{ ablated: 'kivágva', frozen: 'megállítva' }[kind]}`,
  },
} satisfies Messages
