import { compact, decimal, integer, percent, the } from '../../i18n/numbers'
import type { Messages } from './messages.en'

/** Where the key is, by query − key. */
function where(distance: number): string {
  if (distance === 0) return 'a lekérdezés helyén'
  return `${integer(Math.abs(distance))} tokennel ${distance > 0 ? 'előbb' : 'később'}`
}

function short(distance: number): string {
  if (distance === 0) return 'ugyanott'
  return `${integer(Math.abs(distance))} ${distance > 0 ? 'vissza' : 'előre'}`
}

/** The same in few letters: "1 vissza", "12 E előre". */
function brief(distance: number, digits = 0): string {
  const away = Math.abs(distance)
  if (away < 0.5 / 10 ** digits) return digits === 0 ? 'önmaga' : decimal(0, digits)
  const written = away >= 9999.5 ? compact(away, 2) : away >= 9.95 ? integer(away) : decimal(away, digits)
  return `${written} ${distance > 0 ? 'vissza' : 'előre'}`
}

export const distances: Messages['distances'] = {
  where,
  short,
  brief,
  fraction: (value) => decimal(value, value < 0.0995 ? 3 : 2),
  correlation: (value) => `r̄ ${Number.isNaN(value) ? '–' : decimal(value, 2)}`,
  behind: '← előbbi kulcs, token',
  ahead: 'későbbi kulcs, token →',
  shortBehind: '← vissza',
  shortAhead: 'előre →',
}

const statistics: Messages['statistics']['statistics'] = {
  entropy: { name: 'a súly szétszórtsága', brief: 'szórtság' },
  distance: { name: 'átlagos távolság', brief: 'távolság' },
  largest: { name: 'legnagyobb súly', brief: 'legnagyobb' },
  previous: { name: 'az előző token súlya', brief: 'előző' },
  next: { name: 'a következő token súlya', brief: 'következő' },
  same: { name: 'a token saját magára eső súlya', brief: 'önmaga' },
  first: { name: 'az első token súlya', brief: 'első' },
  repeated: { name: 'ugyanazon szó súlya másutt', brief: 'azonos szó' },
  induction: { name: 'az ugyanazon szót korábban követő token súlya (indukció)', brief: 'indukció' },
  special: { name: 'a speciális tokenek súlya', brief: 'speciális' },
  concentration: { name: 'a lekérdezések koncentrációja (R)', brief: 'R' },
  correlation: { name: 'a valódi és a becsült pontszámok korrelációja (r̄)', brief: 'r̄' },
}

const value: Messages['statistics']['value'] = (number, unit) => {
  if (unit === 'weight' || unit === 'share') return decimal(number, Math.abs(number) < 0.0995 ? 3 : 2)
  return `${decimal(number, 1)} ${unit === 'bits' ? 'bit' : 'token'}`
}

export const headStatistics: Messages['statistics'] = {
  statistics,
  value,
  named: (id, number, unit) => `${statistics[id].name}: ${value(number, unit)}`,
  axis: (id, unit) =>
    unit === 'weight' || unit === 'share'
      ? statistics[id].name
      : `${statistics[id].name}, ${unit === 'bits' ? 'bit' : 'token'}`,
  table: 'Minden fej',
  head: 'fej',
}

export default {
  title: 'Minden fej',
  help: {
    maps: 'Lefelé a rétegek, jobbra a fejek; mindegyik e szöveg egy térképe.',
    distance: 'Terület: átlagos súly távolságonként. Vonal: az átlagos lekérdezésből és kulcsból becsülve.',
    pairs: 'Mely frekvenciapárokat használja a fej, E‖q‖·E‖k‖ szerint; balra a 0. pár, a leggyorsabb.',
  },
  source: {
    maps: 'Minden térkép egy fej súlyait mutatja ezen a szövegen; ahol több a token, mint a képpont, a legnagyobb marad, így a vékony vonal is látszik. A számok minden nem speciális lekérdezés átlagai. Az, hogy hová néz egy fej, nem árulja el, mit olvas ott.',
    distance:
      'Az átlagos súly minden lekérdezésre, amelynek van kulcsa ebben a távolságban, és az átlagos lekérdezésből és kulcsból készült becslés (TriAttention, 2026, arXiv 2604.04921); egy fejre a Távolság nézet mutatja. A skála a súly négyzetgyökét követi.',
    pairs:
      'Milyen hosszú a fej átlagos lekérdezése és átlagos kulcsa az egyes frekvenciapárokban forgatás előtt, egymással szorozva (TriAttention, 2026, arXiv 2604.04921). A színek az erősség négyzetgyökét követik, minden fej egy skálán. Egy erős pár számít a pontszámban; hogy melyik távolságnál, azt egymaga nem mondja meg.',
  },
  keys: {
    across: 'egy fejjel balra vagy jobbra',
    along: 'egy réteggel feljebb vagy lejjebb',
    ends: 'a réteg első és utolsó feje',
  },
  tables: { measured: 'átlagos súly, mért', predicted: 'átlagos súly, becsült' },
  pair: (pair) => `${pair}. pár`,
  headByDistance: (correlation, distance, weighs) =>
    `súlyából ${percent(weighs)} van ${where(distance)}, ${distances.correlation(correlation)}`,
  headPairs: (pair, part) => `legerősebb ${the(pair)} ${integer(pair)}. pár, az egész ${decimal(part, 2)} része`,
  show: 'Mi látszik minden fejből',
  shows: { maps: 'térkép', distance: 'távolság', pairs: 'párok' },
  by: 'szempont',
  byTitle: 'Szempont, amely szerint egy réteg fejei jelölve és rendezve vannak',
  byHead: 'sorszám',
  sorted: 'rendezve',
  most: 'legnagyobb',
  least: 'legkisebb',
  rank: (rank) => `${integer(rank)}. a rétegében`,
  walking: 'Minden fej olvasása…',
  painting: (left) => `Rajzolás: még ${integer(left)} térkép…`,
  walkTooLong: (tokens) => `Legfeljebb ${integer(tokens)} tokenes szövegre számítható.`,
  label: (layers, heads) =>
    `Mind ${the(layers)} ${integer(layers)} × ${integer(heads)} fej figyelmi térképe. A nyilak választanak egyet, a Shift és egy kattintás azt, amellyel összevetjük.`,
  corner: 'réteg',
  layer: (layer) => `${layer}. réteg`,
  head: (head) => `${head}. fej`,
  place: (layer, head) => `${layer}. réteg, ${head}. fej`,
  width: 'A rács szélessége',
  widths: { narrow: 'keskeny', auto: 'szokásos', wide: 'széles' },
  unfold: 'Az összes fej rácsának megnyitása',
  fold: 'Az összes fej rácsának bezárása',
  narrower: (now) => `Keskenyebb rács: most ${now}`,
  wider: (now) => `Szélesebb rács: most ${now}`,
  compareHeads: (one, other) => `${one} és ${other} összevetése →`,
  compared: 'B',
  headWord: 'fej',
  tab: 'Fejek',
  again: 'Újra',
  distances,
  statistics: headStatistics,
} satisfies Messages
