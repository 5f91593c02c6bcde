import { decimal, integer, capital, headName, percent, score, signed, the } from '../../i18n/numbers'
import { key, query, sentence } from '../../i18n/rich'
import { distances } from '../head-grid/messages.hu'
import type { Messages } from './messages.en'

type MapHeads = Parameters<Messages['heading']>[0]
type MapKind = Parameters<Messages['helpOf']>[0]
type MapFacts = Parameters<Messages['sourceOf']>[1]
type PatternMeasurement = Parameters<Messages['headline']['patternLine']>[1]

/** "Mind a 21 token, amely előtt áll másik,", "21 olyan tokenből, amely előtt áll másik, 20". */
const tokens = ({ queries, matches }: PatternMeasurement, which = '', that = '') =>
  matches === queries
    ? `Mind ${the(queries)} ${integer(queries)}${which} token${that}`
    : `${integer(queries)}${that === '' ? '' : ' olyan'}${which} tokenből${that} ${integer(matches)}`

const average = ({ mean }: PatternMeasurement) => `itt átlagosan ${percent(mean)}`

/** A head with the pattern in words, its queries, what they look at, and the pattern's short name. */
const pattern = {
  previous: {
    does: 'az előző tokenre néz',
    line: (it: PatternMeasurement) =>
      `${tokens(it, '', ', amely előtt áll másik,')} annak adja a legnagyobb súlyát: ${average(it)}.`,
    where: 'az előző tokennek',
  },
  next: {
    does: 'a következő tokenre néz',
    line: (it: PatternMeasurement) =>
      `${tokens(it, '', ', amely után áll másik,')} annak adja a legnagyobb súlyát: ${average(it)}.`,
    where: 'a következő tokennek',
  },
  twoBack: {
    does: 'két tokennel visszafelé néz',
    line: (it: PatternMeasurement) =>
      `${tokens(it, '', ', amely előtt kettővel áll másik,')} annak adja a legnagyobb súlyát: ${average(it)}.`,
    where: 'a kettővel előttük álló tokennek',
  },
  twoAhead: {
    does: 'két tokennel előrefelé néz',
    line: (it: PatternMeasurement) =>
      `${tokens(it, '', ', amely után kettővel áll másik,')} annak adja a legnagyobb súlyát: ${average(it)}.`,
    where: 'a kettővel utánuk álló tokennek',
  },
  itself: {
    does: 'minden tokennél magára a tokenre néz',
    line: (it: PatternMeasurement) => `${tokens(it)} önmagának adja a legnagyobb súlyát: ${average(it)}.`,
    where: 'önmaguknak',
  },
  first: {
    does: 'az első tokenre néz',
    line: (it: PatternMeasurement) => `${tokens(it, ' későbbi')} az elsőnek adja a legnagyobb súlyát: ${average(it)}.`,
    where: 'az első tokennek',
  },
  same: {
    does: 'ugyanarra a tokenre néz másutt',
    line: (it: PatternMeasurement) => `${tokens(it, '', ', amely másutt is áll,')} oda néz leginkább: ${average(it)}.`,
    where: 'a másutt álló ugyanilyen tokennek',
  },
  onward: {
    does: 'sorban olvassa a forrást',
    line: (it: PatternMeasurement) =>
      `${tokens(it, ' későbbi')} a forrás egy későbbi tokenjének adja a legnagyobb súlyát, mint az előtte álló token: ${average(it)}.`,
    where: 'az előző tokennél későbbi forrástokennek',
  },
  sourceEnd: {
    does: 'a forrás végére néz',
    line: (it: PatternMeasurement) =>
      `${tokens(it)} a forrás utolsó tokenjének adja a legnagyobb súlyát: ${average(it)}.`,
    where: 'a forrás utolsó tokenjének',
  },
  sourceStart: {
    does: 'a forrás elejére néz',
    line: (it: PatternMeasurement) =>
      `${tokens(it)} a forrás első tokenjének adja a legnagyobb súlyát: ${average(it)}.`,
    where: 'a forrás első tokenjének',
  },
  copy: {
    does: 'a forrás ugyanilyen tokenjére néz',
    line: (it: PatternMeasurement) =>
      `${tokens(it, '', ', amely a forrásban is áll,')} oda néz leginkább: ${average(it)}.`,
    where: 'a forrás ugyanilyen tokenjének',
  },
}

/** The numbers' names in tables. */
const numbers: Record<MapKind, string> = {
  weight: 'súlyok',
  value: 'súly · ‖v‖',
  output: 'súly · ‖v W‖',
  score: 'pontszámok a softmax előtt',
  content: 'pontszámok forgatás nélkül',
  rotation: 'amit a forgatás a pontszámokhoz ad',
}

/** In a figure's caption. */
const quantities: Record<MapKind, string> = {
  weight: 'figyelmi súly',
  value: 'figyelmi súly · ‖v‖',
  output: 'figyelmi súly · ‖v W‖',
  score: 'pontszám a softmax előtt',
  content: 'pontszám forgatás nélkül',
  rotation: 'amit a forgatás a pontszámhoz ad',
}

const heading = ({ mean, layer, head, count }: MapHeads) =>
  ({
    head: `${integer(layer)}. réteg, ${integer(head)}. fej`,
    layer: `${integer(layer)}. réteg, ${integer(count)} fej átlaga`,
    all: `Mind ${the(count)} ${integer(count)} fej átlaga`,
    some: `${integer(count)} fej átlaga`,
  })[mean]

const away = (from: number, to: number) =>
  from === to ? 'önmaga' : `${integer(Math.abs(from - to))} tokennel ${from > to ? 'előbb' : 'később'}`

/** What a map of these numbers shows. */
const help = (kind: MapKind, linear: boolean) =>
  ({
    weight: linear
      ? 'Minden sor egy lekérdezés. A lineáris figyelemben nincs softmax: a súlyoknak előjelük van, és a sorok összege nem 1.'
      : 'Minden sor egy lekérdezés: minél erősebb egy oszlop színe, annál többet olvas abból a kulcsból. Egy sor összege 1.',
    value:
      'A súly szorozva a kulcs értékének hosszával: amit a lekérdezés átvesz, nagyság szerint. Egy sor összege nem 1.',
    output: 'A súly szorozva a kimeneti vetítés utáni érték hosszával: amit a fej hozzáad, nagyság szerint.',
    score: linear
      ? 'Pontszámok, φ(q)·φ(k), mielőtt soruk összegével osztanánk őket: zöld 0 fölött, bíbor alatta.'
      : 'Pontszámok, q·k / √d, a softmax előtt: zöld 0 fölött, bíbor alatta.',
    content: 'A pontszámok, ha semmi sem forogna: amit a tokenek tartalma egymagában adna.',
    rotation: 'Amit a forgatás az egyes pontszámokhoz ad (zöld) vagy elvesz belőlük (bíbor).',
  })[kind]

function source(kind: MapKind, { isLinear, isMean, rotates }: MapFacts): string {
  const isSigned = isLinear || kind === 'score' || kind === 'content' || kind === 'rotation'
  const norms =
    '(Kobayashi és mások 2020, arXiv 2004.10102, súlyozott normák). A sorok összege nem 1, és nem is egészítjük ki őket, ahol a speciális tokenek kimaradnak.'
  return [
    `RoFormer (Su és mások 2021, arXiv 2104.09864), ${isLinear ? 19 : 2}. egyenlet${rotates ? '; q és k már a pozíciója szerint elforgatva' : ''}.`,
    {
      weight: isLinear
        ? 'A lineáris figyelem súlyainak előjelük van, és egyetlen soruk összege sem 1.'
        : 'A súlyok színe minden térképen 0-tól 1-ig tart. Kis értéken a nagy súly keveset mozdít: a súly · ‖v‖ az értéket is számítja.',
      value: `A norma a kulcs értékét számítja ${norms}`,
      output: `A norma a kimeneti vetítés fejre eső része utáni értéket számítja, eltolásvektor (bias) nélkül ${norms}`,
      score: isLinear ? '' : 'A pontszámokból a softmax készít súlyokat.',
      content: 'A tartalom a pontszám forgatás nélkül.',
      rotation: 'A forgatás a pontszám és a forgatás nélküli pontszám különbsége.',
    }[kind],
    isMean
      ? 'Az átlag mezőnként annak az átlaga, amit súlyozunk; ahol a speciális tokenek kimaradnak, az átlagos súlyok sorainak összege megint 1.'
      : '',
    isSigned
      ? 'A pozitív számok zöldek, a negatívak bíborak, a térkép legnagyobb értékéig. Ha néhány mező a többinél sokkal nagyobb, a színek előttük véget érnek, és a sáv végein ≤ és ≥ áll.'
      : kind === 'weight'
        ? ''
        : 'A színek a térkép legnagyobb értékéig tartanak.',
    'A maszkolt mezők homokszínűek. A nagy súly azt mondja meg, honnan olvas a fej, azt nem, hogy mit kezd vele: a figyelem nem magyarázat.',
  ]
    .filter(Boolean)
    .join(' ')
}

export default {
  help: help('weight', false),
  helpOf: help,
  source: source('weight', { isLinear: false, isMean: false, rotates: true }),
  sourceOf: source,
  heading,
  label: (subject) =>
    `Figyelem. ${heading(subject)}. A nyilak mezőről mezőre lépnek, a Home és az End a sor elejére és végére, a Page billentyűk tíz sort.`,
  axes: (cross) => (cross ? { query: 'szöveg ↓', key: 'forrás →' } : { query: 'lekérdezés ↓', key: 'kulcs →' }),
  kind: {
    name: 'Számok',
    weight: 'súlyok',
    value: 'súly · ‖v‖',
    output: 'súly · ‖v W‖',
    score: 'pontszámok',
    content: 'tartalom',
    rotation: 'forgatás',
  },
  measured: (kind, value) =>
    ({
      weight: value,
      value: `súly szorozva az érték normájával: ${value}`,
      output: `súly szorozva a vetített érték normájával: ${value}`,
      score: `pontszám: ${value}`,
      content: `pontszám forgatás nélkül: ${value}`,
      rotation: `a forgatás ennyit ad: ${value}`,
    })[kind],
  mean: {
    name: 'Fejek',
    layer: 'a rétege',
    all: 'minden fej',
    some: 'kijelölt fejek',
  },
  picked: {
    name: 'Kijelölt fejek',
    place: (layer, head) => headName({ layer, head }),
    add: (layer, head) => `${headName({ layer, head })} hozzáadása`,
    leave: (layer, head) => `Az ${headName({ layer, head })} fej kihagyása`,
    hint: 'Továbbiakat a rácsból adhat hozzá.',
  },
  scale: {
    name: 'Színek',
    root: 'szín: √',
    linear: 'szín: lineáris',
    log: 'szín: log',
  },
  special: { name: 'Speciális tokenek', show: 'minden token', hide: 'speciális tokenek nélkül' },
  hiddenHere: 'Itt csak speciális tokenek vannak: a súlyaikhoz válassza a „minden token” lehetőséget.',
  pair: (queryToken, m, keyToken, n) =>
    sentence`${query({ text: queryToken, position: m })} → ${key({ text: keyToken, position: n })}`,
  rank: (rank, of) => `${integer(rank)}. ${the(of)} ${integer(of)} kulcs közül`,
  leftOut: 'speciális token, itt kimarad',
  forbidden: 'maszkolt (későbbi token)',
  away,
  rankAway: (kind, rank, away) => {
    const number = {
      weight: undefined,
      value: 'súly · ‖v‖',
      output: 'súly · ‖v W‖',
      score: 'pontszám a softmax előtt',
      content: 'pontszám forgatás nélkül',
      rotation: 'amit a forgatás ad',
    }[kind]
    return [number, rank, away].filter((part) => part !== undefined).join(', ')
  },
  ranking: (kind, queryToken, position) => {
    const token = query({ text: queryToken, position })
    return {
      weight: sentence`Amire ${token} figyel`,
      value: sentence`Amit ${token} átvesz, ‖v‖ szerint`,
      output: sentence`Amit ${token} átvesz, ‖v W‖ szerint`,
      score: sentence`${token} legnagyobb pontszámai`,
      content: sentence`${token} pontszámai forgatás nélkül`,
      rotation: sentence`Amit a forgatás ehhez ad: ${token}`,
    }[kind]
  },
  others: (count) => `még ${integer(count)}, egyenként 0,001 alatt`,
  spoken: (place, reading) =>
    `${heading(place.subject)}, lekérdezés „${place.query}” ${place.m}, kulcs „${place.key}” ${place.n}: ${reading}`,
  bar: (least, most) => `Színek: ${least} – ${most}`,
  corner: 'lekérdezés \\ kulcs',

  quantity: (subject, kind, withoutSpecial) =>
    `${quantities[kind]}${subject.mean === 'head' ? '' : `, ${heading(subject).toLowerCase()}`}${withoutSpecial ? ', speciális tokenek nélkül' : ''}`,
  table: (subject, kind, withoutSpecial) =>
    `${heading(subject)}: ${numbers[kind]}${withoutSpecial ? ', speciális tokenek nélkül' : ''}; lefelé a lekérdezések, jobbra a kulcsok`,
  headline: {
    subject: ({ mean, layer, head, count }) =>
      ({
        head: `Az ${headName({ layer, head })} fej`,
        layer: `${capital(the(layer))} ${integer(layer)}. réteg átlaga`,
        all: `Mind ${the(count)} ${integer(count)} fej átlaga`,
        some: count === 1 ? 'A kijelölt fej' : `${integer(count)} fej átlaga`,
      })[mean],
    highest: (kind, head, asks, answers, most) =>
      kind === 'score'
        ? sentence`Az ${headName(head)} fej legmagasabb pontszáma: ${query(asks)} → ${key(answers)}, ${most}.`
        : sentence`Forgatás nélkül az ${headName(head)} fej legmagasabb pontszáma: ${query(asks)} → ${key(answers)}, ${most}.`,
    scoreRange: (kind, { least, most, mean }, linear) =>
      `A ${kind === 'score' ? '' : 'forgatás nélküli '}pontszámok ${score(least)} és ${score(most)} között vannak, átlaguk ${score(mean)}.${kind === 'score' && !linear ? ' Egy sor pontszámaiból a softmax készít súlyokat.' : ''}`,
    rotation: (distance, there, elsewhere) =>
      `A forgatás itt ad a legtöbbet: ${distances.where(distance)}. Ott ${signed(there)}, másutt átlagosan ${signed(elsewhere)}.`,
    rotationLine: (subject, least) =>
      `${subject}: a forgatott pontszámok mínusz a forgatás nélküliek. Egy mező legnagyobb vesztesége ${decimal(Math.max(0, -least), 2)}.`,
    measuring: (subject) => `${subject}…`,
    measuringLine: 'A térkép mérése…',
    pattern: (subject, found) => `${subject} ${pattern[found].does}.`,
    patternLine: (found, measured) => pattern[found].line(measured),
    spread: (subject, largest) => `${subject} szétosztja a súlyát: a legnagyobb átlagosan ${percent(largest)}.`,
    picks: (subject, largest) =>
      `${subject} egyes tokeneket választ ki: a legnagyobb súlya átlagosan ${percent(largest)}.`,
    takes: (subject, { name, position, share }, kind) =>
      sentence`${subject} innen veszi a legtöbbet: ${key({ text: name, position })}, az összes ${numbers[kind]} ${percent(share)}‑át.`,
    byWeight: ({ name, position, share }) =>
      sentence`Pusztán a súlyai szerint ${key({ text: name, position })} volna az első, ${percent(share)} résszel.`,
    sameByWeight: (share) => `Pusztán a súlyai szerint is ez az első, ${percent(share)} résszel.`,
    mean: (count) => `${integer(count)} térkép átlagán mérve; egyetlen fej térképe sem feltétlenül ilyen.`,
    few: 'Túl kevés a token egy mintázathoz.',
    noPattern: (commonest, cross) =>
      commonest
        ? `Nem egyetlen hely kapja: a legközelebbi mintázat szerint ${integer(commonest.queries)} tokenből ${integer(commonest.matches)} ${pattern[commonest.pattern].where} adja a legnagyobb súlyát.`
        : cross
          ? 'Nem egyetlen hely kapja: a legnagyobb súlyok nem haladnak a forrással, és nem is maradnak az első vagy az utolsó tokenjén.'
          : 'Nem egyetlen hely kapja: nem a szomszédos tokenek, nem maga a token, nem is az első.',
    whileWriting: 'Egy sor azt mutatja, mit olvas a modell, amíg a rá következő tokent írja.',
    withoutSpecial: 'A speciális tokenek kimaradnak.',
  },
} satisfies Messages
