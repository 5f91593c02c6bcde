import { headStatistics } from '../../charts/head-grid/messages.hu'
import { integer, percent, significant, capital, the } from '../../i18n/numbers'
import type { Messages } from './messages.en'
import { hasNoHover } from '../../ui/pointer'

const { statistics, value, named } = headStatistics

const units = { bits: 'bitben', tokens: 'tokenben', weight: 'a súly része', share: '−1-től 1-ig' }

const place = ({ rank, from }: { rank: number; from: 'least' | 'most' }) =>
  `a ${rank === 1 ? '' : `${integer(rank)}. `}${from === 'least' ? 'legkisebb' : 'legnagyobb'}`

type Amount = Parameters<Messages['headline']>[2]

/** In a sentence a weight is a part of all. */
const amount = ({ value: number, unit }: Pick<Amount, 'value' | 'unit'>) =>
  unit === 'weight' ? percent(number) : value(number, unit)

export default {
  get help(): string {
    return hasNoHover()
      ? 'Minden pont egy fej. Tartsa rajta az ujját, és látja; koppintson rá, és kiválasztja.'
      : 'Minden pont egy fej. Mutasson rá, és látja; kattintson rá, és kiválasztja.'
  },
  source:
    'A fej súlyainak átlagai minden nem speciális lekérdezésre. Szórtság: az entrópia, Σ −a log₂ a, bitben; 0, ahol minden súly egy kulcson van. Távolság: Σ a·|m − n|, mint Vig és Belinkov (2019, arXiv 1906.04284) cikkében. Indukció: a lekérdezés szavának korábbi előfordulása utáni token súlya (Olsson és mások 2022, arXiv 2209.11895). R és r̄: a fej lekérdezéseinek koncentrációja az átlaguk körül forgatás előtt, és pontszámainak korrelációja az átlagos lekérdezésből és kulcsból becsültekkel (TriAttention, arXiv 2604.04921); egy fejre a Távolság nézet mutatja. Hasonló: két térkép korrelációja a nem speciális tokenek minden párján. Két közeli pont feje hasonló helyekre figyel; amit ott olvasnak, különbözhet.',
  shade: (id, most, unit) => `szín: ${statistics[id].brief}, ${value(most, unit)} értékig`,
  tick: (number) => significant(number, 4),
  axes: { x: 'x', y: 'y', shade: 'szín' },
  from: 'hol mérve',
  sources: { text: 'ez a szöveg', book: 'egy könyv' },
  loading: 'Mérés…',
  noStatistics: 'Ezen a szövegen a fejek nem mérhetők.',
  noBook:
    'Ennek a modellnek nincs heads.json fájlja egy könyvön mért statisztikával. Készítse el a ropescope heads paranccsal.',
  label: (heads) =>
    `${integer(heads)} fej pontként. A bal és jobb nyíl a vízszintes, a fel és le a függőleges tengely mentén lép.`,
  moved: (head, x, y) => `${head} fej: ${x}, ${y}`,
  named,
  sortBy: (name) => `rendezés eszerint, és ez az y tengelyre: ${name}`,
  sorted: (name, direction) =>
    `rendezve: ${name}, a ${direction === 'ascending' ? 'legkisebbel' : 'legnagyobbal'} kezdve`,
  sortedByHead: 'a fejek sorrendjében',
  column: (id, unit) => `${statistics[id].brief}, ${units[unit]}: ${statistics[id].name}`,
  columns: 'Egy oszlop neve rendez, és az y tengelyre is rákerül.',
  headline: (head, heads, y, x, over) => ({
    title: `${capital(statistics[y.statistic].name)}: ${integer(heads)} fej közül az ${head} fejé ${place(y)}.`,
    line: `Értéke ${amount(y)}; ${statistics[x.statistic].name}: ${amount(x)}, ${place(x)}. Mérve: ${over}.`,
  }),
  headlineEqual: (heads, over) => ({
    title: `Itt mind ${the(heads)} ${integer(heads)} fej egyforma.`,
    line: `Mérve: ${over}, speciális tokenek nélkül.`,
  }),
  similar: {
    title: (head) => `az ${head} fejéhez hasonló térképek`,
    help: 'a két térkép korrelációja ezen a szövegen, speciális tokenek nélkül',
    start: (head) => `az ${head} fejéhez hasonló térképek keresése`,
    loading: (compared, all) => `Összevetés… ${integer(compared)} / ${integer(all)}`,
    head: headStatistics.head,
    correlation: 'korreláció',
    value: (correlation) => value(correlation, 'share'),
    tooLong: (tokens) => `A hasonlóság, az R és az r̄ legfeljebb ${integer(tokens)} tokenes szövegre számítható.`,
  },
  overText: (tokens) => `ennek a szövegnek ${the(tokens)} ${integer(tokens)} tokenjén`,
  overBook: (book) => `egy könyvön (${book}), amelyen a modellt nem tanították`,
} satisfies Messages
