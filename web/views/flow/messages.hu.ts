import { decimal, integer, headName, percent, the } from '../../i18n/numbers'
import { key, query, sentence } from '../../i18n/rich'
import type { Messages } from './messages.en'

export default {
  help: 'Honnan származik egy-egy token információja pusztán a figyelem szerint, és mennyit tesz hozzá minden réteg és fej.',
  source:
    'Figyelemkiterítés (attention rollout): Abnar és Zuidema (2020, arXiv 2005.00928, 1. egyenlet). A réteg fejeit átlagoljuk, minden token fele a helyén marad, a rétegeket összeszorozzuk. A normák a rejtett állapotoké, a Hugging Face számozásával; a RoFormer minden réteg után normál, ezért alig különböznek. Egy fej kimenete ‖Σ a v W‖: súlyozott értékei a kimeneti vetítés rá eső részén át, a tokenek átlagában (a normák Kobayashi és mások 2020, arXiv 2004.10102 szerint), a vetítés eltolásvektora (bias) nélkül. Az egymás ellen író fejeket nem különbözteti meg. A kiterítés nem veszi figyelembe az értékeket és az előrecsatolt rétegeket, és minden fejet egyformának vesz: azt mutatja, honnan jöhetett az információ, nem azt, mit használt a modell.',
  axes: { query: 'hová: lekérdezés ↓', key: 'honnan: kulcs →' },
  shortAxes: { query: 'lekérdezés ↓', key: 'kulcs →' },
  token: (text, position) => `${text} ${integer(position)}`,
  mean: 'minden token átlaga',
  norm: ['a token vektorának nagysága', ' ‖h‖'],
  change: ['mennyit változtat rajta a réteg', ' ‖Δh‖'],
  state: (at) => (at === 0 ? 'be' : String(at - 1)),
  layer: String,
  heads: (most) => ['a fejek kimenete', ' ‖A v W‖', `, ${decimal(most, 1)} értékig`],
  layerAxis: 'réteg →',
  headAxis: 'fej →',
  tooLong: (most, tokens) =>
    `A kiterítés legfeljebb ${integer(most)} tokenes szövegre számítható; ez ${integer(tokens)} tokenes.`,
  loading: 'A kiterítés számítása…',

  label: (query, cross) =>
    `A kiterítés térképe. A nyilak a lekérdezést ${cross ? '' : 'és a kulcsot '}léptetik. Most a lekérdezés: ${query}.`,
  moved: (query, key, part) => `${query}: ${percent(part)} innen: ${key}`,
  movedHead: (head) => `${headName(head)} fej`,
  headline: (of, own, other, part) =>
    sentence`${query(of)} ${percent(own)}‑ot tart meg magából, és a legtöbbet, ${percent(part)}‑ot, innen veszi: ${key(other)}.`,
  alone: (of) => sentence`${query(of)} mindent önmagából vesz.`,
  line: (from, to, layer, change, head) =>
    `Pusztán a figyelem szerint. Normája ${decimal(from, 1)} → ${decimal(to, 1)}; a legtöbbet ${the(layer)} ${layer}. réteg változtat rajta: ${decimal(change, 1)}. A legnagyobb kimenete az ${head} fejnek van.`,

  tables: { rollout: 'kiterítés', norms: 'normák', heads: 'fejek' },
  corner: 'hová \\ honnan',
  normColumns: ['rejtett állapotok', 'token', 'norma', 'a réteg változtatása'],
  headColumns: ['fej', 'kimenetének átlagos normája'],
} satisfies Messages
