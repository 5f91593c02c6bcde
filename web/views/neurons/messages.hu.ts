import { capital, integer, signed, the } from '../../i18n/numbers'
import { query, sentence, token } from '../../i18n/rich'
import type { Messages } from './messages.en'

/** a 2. réteg */
const layerOf = (layer: number) => `${the(layer)} ${integer(layer)}. réteg`

export default {
  help: 'Egy réteg előrecsatolt hálójának legerősebb neuronjai egy tokennél, és hogy egyikük mit tesz.',
  source:
    'A neuron egy oszlop az előrecsatolt háló két vetítése között: értéke az, amit a második vetítés olvas, az aktiválás és, ahol van, a kapu után. Amit olvas, az az első vetítés vagy a kapu hozzá tartozó sorának belső szorzata az egyes szóbeágyazásokkal. Amit ír, az a második vetítés hozzá tartozó oszlopának szorzata a kimeneti fejjel (Geva és mások 2022, arXiv 2203.14680). Mindkettő csak a súlyokból következik, bármi a szöveg. Egy neuron több dolgot is jelölhet, és több neuron is jelölhet egyet.',
  loading: 'A neuronok olvasása…',
  number: 'Neuron',
  strongestOne: 'a legerősebb',
  switches: 'Kikapcsolás',
  offNeuron: (neuron) => `${the(neuron)} ${neuron}. neuron`,
  offNetwork: (layer) => `${layerOf(layer)} előrecsatolt hálója`,
  offHelp: 'Az érték minden tokennél 0, és ami utána jön, az újra kiszámolódik.',
  noSwitches: 'A kódoló neuronjai nem kapcsolhatók ki: beavatkozni csak a dekódolóban lehet.',
  strongest: (of) => `A legerősebb neuronok itt: ${of}`,
  atTokens: (neuron) => `${capital(the(neuron))} ${neuron}. neuron tokenenként`,
  columns: { value: 'érték', inner: 'előtte', gate: 'kapu' },
  reads: 'Olvassa',
  likelier: 'Erősíti',
  lessLikely: 'Gyengíti',
  label: (layer, of, neuron) =>
    `Oszlopok: ${layerOf(layer)} legerősebb neuronjai itt: ${of}, és ${the(neuron)} ${neuron}. neuron tokenenként. A fel és le nyíl neuront választ, a bal és jobb tokent.`,
  headline: (neuron, layer, at, value) =>
    sentence`${capital(layerOf(layer))} ${String(neuron)}. neuronja erre felel a legerősebben: ${token(at)} (${value}).`,
  zero: (neuron, layer) => `${capital(layerOf(layer))} ${neuron}. neuronja minden tokennél 0.`,
  offHeadline: {
    neuron: (neuron, layer) => `${capital(layerOf(layer))} ${neuron}. neuronja ki van kapcsolva: minden tokennél 0.`,
    network: (_, layer) => `${capital(layerOf(layer))} előrecsatolt hálója ki van kapcsolva: minden neuronja 0.`,
  },
  line: (at, value, strongest, most) =>
    sentence`Itt: ${query(at)}, az értéke ${value}; a legerősebb neuron ott ${the(strongest)} ${String(strongest)}. (${most}).`,
  isStrongest: (at, value) => sentence`Itt: ${query(at)}, ez a legerősebb neuron (${value}).`,
  next: 'a következő token',
  stays: (change, place, fill, before, after) =>
    sentence`${capital(change)} a legjobb jóslat (${place}) marad ${token(fill)}: ${before} → ${after}.`,
  turns: (change, place, from, before, to, after) =>
    sentence`${capital(change)} a legjobb jóslat (${place}): ${token(from)} (${before}) → ${token(to)} (${after}).`,
  nothingPredicted: (change) => `${capital(change)}: itt nincs jóslat; hogy mi változik, azt a többi nézet mutatja.`,
  columnsNote: (isGated) =>
    `Érték: amit a második vetítés olvas. Előtte: a szám az aktiválás előtt.${isGated ? ' Kapu: ugyanígy.' : ''}`,
  byWeights: 'Hogy mit olvas és mit ír, az csak a súlyokból következik: a normalizálások és a későbbi rétegek nélkül.',
  skipsHead:
    'Amit ír, az közelítés: a kimeneti fej saját rétege kimarad, és a mátrixa helyett a szóbeágyazások állnak.',
  noWrites: {
    encoder: 'A kódoló nem jósol tokent: amit a neuronjai írnak, annak nincs neve.',
    none: 'Ennek a modellnek nincs kimeneti feje a szókészlethez: amit a neuronjai írnak, annak nincs neve.',
  },
  moved: (neuron, value) => `${neuron}. neuron: ${signed(value)}`,
  movedTo: (of, value) => `${of}: ${signed(value)}`,
  table: 'a legerősebb neuronok',
  header: ['neuron', 'érték', 'aktiválás előtt', 'kapu az aktiválás előtt'],
  tokenTable: (neuron) => `${the(neuron)} ${neuron}. neuron tokenenként`,
  tokenHeader: ['token', 'pozíció', 'érték'],
  wordTable: 'mit olvas és mit ír',
  wordHeader: ['lista', 'token', 'id', 'szám'],
} satisfies Messages
