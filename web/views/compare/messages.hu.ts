import { decimal, integer, percent, atMost, capital, the } from '../../i18n/numbers'
import type { Messages } from './messages.en'

/** "az előző tokenre néz" */
const looks = {
  back: 'az előző tokenre',
  ahead: 'a következő tokenre',
  itself: 'magára a tokenre',
  first: 'az első tokenre',
  last: 'az utolsó tokenre',
  sourceStart: 'a forrás elejére',
  sourceEnd: 'a forrás végére',
}

/** "az előző token átlagos súlya" */
const target = {
  back: 'az előző token',
  ahead: 'a következő token',
  itself: 'maga a token',
  first: 'az első token',
  last: 'az utolsó token',
  sourceStart: 'a forrás első tokenje',
  sourceEnd: 'a forrás utolsó tokenje',
}

/** A weight or a share, with two digits. */
const share = (value: number) => decimal(value, 2)
const signed = (value: number) =>
  Math.abs(value) < 0.005 ? decimal(0, 2) : `${value < 0 ? '−' : '+'}${decimal(Math.abs(value), 2)}`
const correlated = (r: number) => `${r <= -0.005 ? '−' : ''}${decimal(Math.abs(r), 2)}`

const source = (linear: boolean) =>
  `${linear ? 'A és B figyelmi súlyok. A lineáris figyelem súlyainak előjelük van, és soraik összege nem 1, ezért az összes súly részei közelítők.' : 'A és B softmax-súlyok: minden sorban mindkettő összege 1, az A − B összege 0.'} r a két térkép minden olyan súlyának (Pearson-féle) korrelációja, amely lehet más, mint 0. Az áthelyezendő súly soronként az |A − B| összegének fele, az összes sor átlagában: 0%, ahol a kettő egyforma, 100%, ahol nincs közös tokenjük. Két szövegnél csak a közös elejük és végük tokenjeit vonjuk ki egymásból, ha ezek a rövidebb szöveg legalább negyedét adják; egyforma hosszú szövegeknél minden tokent, pozíciónként. Egy sorban az összes többi token egynek számít. Az azonos távolságokra jutó súly: 1 mínusz a lekérdezéstől mért távolságokra jutó súlyrészek különbségeinek összegének fele. Azt nem mutatja, mit kezdenek a fejek azzal, amit olvasnak: két egyforma térkép különböző értékeket hordozhat.`

export default {
  help: 'Két figyelmi térkép és a különbségük.',
  helpWithoutDifference: 'Két figyelmi térkép. Túl kevés közös tokenjük van egy különbséghez.',
  source: source(false),
  sourceOf: source,

  a: 'A',
  b: 'B',
  difference: 'A − B',
  signed,
  weight: share,
  head: (head) => `${head} fej`,
  baseline: (head) => `${head} eredeti`,
  changedHead: (head, change) => `${head}, ${change}`,
  headIn: (head, text) => `${head}, szöveg: „${text}”`,
  aMore: 'A több',
  mostDifferent: 'Ahol a legjobban eltérnek',
  bMore: 'B több',
  correlation: (r) => (r === undefined ? '' : `r ${correlated(r)}`),
  elsewhere: (part) => (part === undefined ? '' : `áthelyezendő súly: ${percent(part, 0)}`),
  byDistance: (part) => `a súly ${percent(part, 0)}‑a ugyanazokon a távolságokon`,
  noToken: '–',
  both: (one, other) => `${one} | ${other}`,
  token: (token, position) => `${token} ${integer(position)}`,
  label: (a, b, subtracted) =>
    `A: ${a}, B: ${b}${subtracted ? ', és a különbségük' : ''}. A nyilak mezőről mezőre lépnek, a Home és az End a sor elejére és végére, a Page billentyűk tíz sort.`,
  cell: (query, m, key, n, a, b, difference) =>
    `lekérdezés „${query}” ${m}, kulcs „${key}” ${n}: A ${share(a)}, B ${b === undefined ? 'nincs ilyen tokenje' : share(b)}${difference === undefined ? '' : `, A − B ${signed(difference)}`}`,
  loading: 'B betöltése…',
  show: 'Térkép',

  with: 'B',
  choices: {
    change: 'a módosított modell',
    head: 'másik fej',
    text: 'másik szöveg',
    model: 'másik modell',
    scaling: 'a RoPE más skálázása',
  },
  text: 'B szövege',
  model: 'B modellje',
  scaling: 'B RoPE-skálázása',
  preset: (name, factor) => `${name} × ${factor}`,
  weightsOf: (name, format) => `${name}, súlyok: ${format}`,
  ownModel: (name) => `${name} (saját)`,
  noModel: 'Nincs megnyitva másik modell. Nyisson meg egy sajátot a Modellek alatt, aztán ezt újra.',
  modelGone: 'E hivatkozás modellje itt nem elérhető. B egy másik.',
  clamped: (head, model) => `${model}: kevesebb rétege vagy feje van. B az ${head} feje.`,
  modelUnchanged: 'A módosítások csak A modelljére vonatkoznak.',
  failed: (why) => `B kiszámítása nem sikerült: ${why}`,
  otherLayer: 'B rétege',
  otherHead: 'B feje',

  headOf: (head, model) => `${model}: ${head}`,

  headline: {
    patterns: ({ a, b }, ofA, ofB) =>
      capital(
        ofA === ofB ? `${a}, ${b}: mindkettő ${looks[ofA]} néz.` : `${a}: ${looks[ofA]} néz; ${b}: ${looks[ofB]}.`,
      ),
    pattern: (looking, other, pattern) => capital(`${looking}: ${looks[pattern]} néz; ${other}: nem.`),
    spread: ({ a, b }, elsewhere) => capital(`${a}, ${b}: súlyuk ${percent(elsewhere, 0)}‑a más-más tokenen van.`),
    distances: ({ a, b }, alike) =>
      alike === undefined
        ? capital(`${a}, ${b}: más-más tokeneket olvasnak.`)
        : capital(`${a}, ${b}: súlyuk ${percent(alike, 0)}‑a ugyanazokra a távolságokra jut.`),
    bothTexts: (head, pattern) => `${head}: mindkét szövegben ${looks[pattern]} néz.`,
    texts: (head, ofA, ofB) => {
      if (ofA && ofB) return `${head}: A szövegében ${looks[ofA]}, B szövegében ${looks[ofB]} néz.`
      return ofA
        ? `${head}: A szövegében ${looks[ofA]} néz, B szövegében nem.`
        : `${head}: B szövegében ${looks[ofB ?? 'itself']} néz, A szövegében nem.`
    },
    textsSpread: (head, alike, sameSource) =>
      alike === undefined
        ? `${head}: ${sameSource ? 'a két szöveg közös forrásában' : 'egyik forrásban'} sincs egyértelmű mintázata.`
        : `${head}: a két szövegben a súly ${percent(alike, 0)}‑a ugyanazokra a távolságokra jut.`,
    rests: (head, change, most) =>
      most === 0
        ? `${capital(change)}, az ${head} fej pontosan oda néz, ahová előtte.`
        : `${capital(change)}, az ${head} fej oda néz, ahová előtte: egyetlen súly sem változik ennél többet: ${atMost(most)}.`,
    keeps: (head, change, pattern) => `${capital(change)}, az ${head} fej továbbra is ${looks[pattern]} néz.`,
    loses: (head, change, pattern) => `${capital(change)}, az ${head} fej már nem ${looks[pattern]} néz.`,
    turns: (head, change, from, to) => `${capital(change)}, az ${head} fej ${looks[to]} néz, nem ${looks[from]}.`,
    moves: (head, change, elsewhere) =>
      `${capital(change)}, az ${head} fej súlyának ${percent(elsewhere, 0)}‑át más tokeneknek adja.`,
    line: ({ a, b }, pattern, ofA, ofB, elsewhere, r) => {
      const alike = r === undefined ? '' : `; a térképek korrelációja ${correlated(r)}`
      const moved =
        elsewhere === undefined
          ? ''
          : ` Hogy egyformák legyenek, a súly ${percent(elsewhere, 0)}‑át kellene áthelyezni${alike}.`
      return `${capital(target[pattern])} átlagos súlya: ${a} ${percent(ofA, 0)}, ${b} ${percent(ofB, 0)}.${moved}`
    },
    textsCompared: {
      all: () => 'A két szöveg egyforma.',
      places: (shared) => `Mindkettő ${integer(shared)} tokenből áll: pozíciónként vetjük össze őket.`,
      ends: (shared, tokens) =>
        `${integer(tokens)} tokenből ${integer(shared)} a szövegek közös elejéhez és végéhez tartozik: ezeket vetjük össze.`,
      none: () => 'Túl kevés a közös tokenjük ahhoz, hogy mezőnként összevessük őket.',
    },
    modelsCompared: (shared) =>
      shared > 0
        ? `Mindkét modell ugyanazt ${the(shared)} ${integer(shared)} tokent olvassa.`
        : 'A modellek különböző tokenekre bontják a szöveget: ezeket nem vetjük össze.',
    byDistance: (alike) => `Súlyuk ${percent(alike, 0)}‑a ugyanazokra a távolságokra jut.`,
    baseline: 'az eredeti modell',
    changed: 'a módosított modell',
  },

  table: (name) => `${name} (lefelé a lekérdezések, jobbra a kulcsok)`,
  corner: 'lekérdezés \\ kulcs',
} satisfies Messages
