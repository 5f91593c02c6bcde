import { distances } from '../../charts/head-grid/messages.hu'
import { compact, decimal, integer, significant, degrees, percent, weight, the } from '../../i18n/numbers'
import { key, query, sentence, strong } from '../../i18n/rich'
import type { Messages } from './messages.en'

const { where, brief, correlation, fraction } = distances

/** The angle of one step: that of a slow pair is small. */
function turn(radians: number): string {
  const angle = (radians * 180) / Math.PI
  return angle >= 0.95 ? degrees(radians) : `${significant(angle, 2)}°`
}

export default {
  help: 'Terület: átlagos súly, mérve. Vonal: az átlagos lekérdezésből és kulcsból becsülve.',
  source:
    'TriAttention (2026, arXiv 2604.04921), 20–26. egyenlet, a RoFormer (arXiv 2104.09864) forgatásával: forgatás előtt sok fej lekérdezései és kulcsai közel vannak az átlagukhoz, ezért az átlagok egymaguk minden távolságra adnak egy pontszámot. A vonal ezeknek a pontszámoknak a softmaxa. R a lekérdezések koncentrációja, r̄ egy lekérdezés becsült és valódi pontszámainak átlagos korrelációja az összes kulcsán. Az átlagokból és a korrelációkból kimaradnak a speciális tokenek. Egy kedvelt távolság nem árulja el, mit olvas ott a fej.',
  correlation,
  at: (distance) => brief(distance),
  label: 'Távolság a lekérdezéstől, és frekvenciapár',
  loading: 'Becslés…',
  linear:
    'A lineáris figyelem súlyai nem a pontszámok softmaxa, ezért az átlagos lekérdezés és kulcs nem jósolja meg őket. Válasszon softmax figyelmet az Eltolás nézetben.',
  measured: (value) => `mért ${fraction(value)}`,
  predicted: (value) => `becsült ${fraction(value)}`,
  behind: distances.behind,
  ahead: distances.ahead,
  even: 'pontozva: egyenletes súlyok',
  tick: integer,
  ringTick: (tokens) => (tokens >= 10_000 ? compact(tokens, 2) : integer(tokens)),
  wants: (distance) => (Number.isNaN(distance) ? 'áll' : Number.isFinite(distance) ? brief(distance, 1) : '–'),
  nextMatch: (distance, pair) => `${brief(distance)}: ismét ${the(pair)} ${pair}. pár`,
  constancy: (value) => `R ${decimal(value, 2)}`,
  all: (length) => `mind ${the(length)} ${integer(length)} távolság`,
  pair: 'pár',
  strength: 'erősség',
  strengthFilled: 'erősség (kitöltve: állandó)',
  match: 'illeszkedés',
  others: (pairs, most) => `még ${integer(pairs)}, erősség ≤ ${decimal(most, 1)}`,
  queries: 'lekérdezések',
  allKeys: 'kulcsok',
  back: '← vissza',
  forth: 'előre →',
  why: (pair, theta, angle, wants) => {
    const begin = sentence`Minden ${query('lekérdezés')} és ${key('kulcs')} ${strong(`${pair}.`)} párja forgatás előtt: `
    if (Number.isNaN(wants)) return [...begin, ...sentence`nem fordul, és minden távolságnál ugyanannyit ad.`]
    const match = Number.isFinite(wants)
      ? sentence`Legjobban illeszkedik: ${strong(brief(wants, 1))}.`
      : sentence`Túl lassan fordul ahhoz, hogy e modell kontextusában valahol a legjobban illeszkedjen.`
    return [
      ...begin,
      ...sentence`egy lépés ${turn(theta)} szöggel fordítja, a kulcsok ${degrees(Math.abs(angle))} szöggel ${angle > 0 ? 'balra' : 'jobbra'} vannak. `,
      ...match,
    ]
  },
  headline: ({ head, queries, correlation, constancy, peak, predicted }) => {
    const over = `${integer(queries)} lekérdezésen a becsült és a valódi pontszámok korrelációja r̄ = ${decimal(correlation, 2)}`
    if (correlation < 0.4) {
      return {
        title: `Az átlagos lekérdezés és kulcs keveset árul el arról, hová néz az ${head} fej.`,
        line: `Csupán ennyi: ${over}. Az átlagos lekérdezés hossza forgatás előtt a lekérdezések hosszának ${decimal(constancy, 2)} része (R).`,
      }
    }
    const measured = `A súly ${where(peak.distance)}: mért ${percent(peak.measured)}, becsült ${percent(peak.predicted)}`
    if (Number.isNaN(correlation)) {
      return { title: `Túl kevés a token ahhoz, hogy megbecsüljük, hová néz az ${head} fej.`, line: `${measured}.` }
    }
    const line = `${measured}; ${over}, R = ${decimal(constancy, 2)}.`
    if (correlation < 0.8)
      return { title: `Az átlagos lekérdezés és kulcs részben megmondja, hová néz az ${head} fej.`, line }
    const exactly = predicted.distance === peak.distance
    if (!exactly && peak.predicted < 0.8 * predicted.weight) {
      return {
        title: `Az átlagos lekérdezés és kulcs az ${head} fej pontszámainak nagy részét megmondja, de azt nem, hová néz leginkább.`,
        line,
      }
    }
    const place = where(peak.distance)
    return {
      title: `Az átlagos lekérdezés és kulcs megmondja, hol van az ${head} fej súlyának java: ${exactly ? place : `körülbelül ${place}`}.`,
      line,
    }
  },
  moved: (distance, token, measured, predicted) =>
    `kulcs: „${token}”, ${where(distance)}: átlagosan mért ${weight(measured)}, becsült ${weight(predicted)}`,
  movedPair: (pair, strength, wants) =>
    `${pair}. pár: erőssége ${decimal(strength, 2)}, ${Number.isNaN(wants) ? 'nem fordul' : Number.isFinite(wants) ? `legjobban illeszkedik: ${brief(wants, 1)}` : 'a kontextusban nem illeszkedik sehol'}`,
  tables: {
    distances: 'távolság szerint',
    pairs: 'frekvenciapár szerint',
    distance: ['tokenek', 'kulcs', 'mért', 'becsült', 'egyenletes', 'becsült pontszám'],
    side: (distance) => (distance > 0 ? 'előbb' : distance < 0 ? 'később' : 'önmaga'),
    pair: ['pár', 'θ', 'C erősség', 'lekérdezések R-je', 'kulcsok R-je', 'φ', 'legjobb illeszkedés, tokennel vissza'],
  },
} satisfies Messages
