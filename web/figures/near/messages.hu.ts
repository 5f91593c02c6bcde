import { decimal, integer, headName } from '../../i18n/numbers'
import type { Messages } from './messages.en'

const short = (value: number) => decimal(value, 2)

export default {
  help: 'A cikk felső korlátja, a koszinuszok összege, egy q és k pontszáma, és a kontextushoz kellő legkisebb alap. Vastag: a vonalzó RoPE-ja.',
  source: `A cikk (Su és mások 2021, arXiv 2104.09864) 3.4.3. szakasza, 35–37. egyenlete és 2. ábrája. A korlát az |S| átlaga; a koszinuszokat számukkal osztjuk; a pontszám q·k. Új vektort csak új véletlenmag ad. A legkisebb alap az első, ha ezrelékenként növeljük, amelynél a koszinuszok összege a kontextuson belül sehol sem negatív (Men és mások 2024, arXiv 2405.14591); nagyobbaknál megint az lehet.`,
  curve: 'görbe',
  curves: { arrow: 'mutatók', bound: 'korlát', cosines: 'Σ cos', score: 'pontszám', base: 'legkisebb alap' },
  up: { bound: 'relatív felső korlát', cosines: 'cos mθᵢ átlaga', score: 'q·k' },
  alike: 'minden pár egyforma gyors',
  aligned: 'igazítva',
  reach: 'eddig',
  tokens: (tokens) => `${integer(tokens)} token`,
  distance: 'távolság (token)',
  rope: (size, base) => `d ${integer(size)}, alap ${integer(base)}`,
  ofModel: 'a fej sajátja',
  crossing: (tokens) => `először ${integer(tokens)} távolságnál negatív`,
  noCrossing: (limit) => `${integer(limit)} tokenig sehol sem negatív`,
  context: 'kontextus (token)',
  base: 'alap',
  leastBase: 'legkisebb alap',
  leastOf: (all) => `A legkisebb alap ennyi token kontextushoz – ${all.join('; ')}.`,
  seed: 'új húzás',
  finest: ({ f16, bf16, f32 }) =>
    `Párok, amelyek egy token alatt kevesebbet fordulnak a táblázat egy kerekítésénél – f16: ${integer(f16)}, bf16: ${integer(bf16)}, f32: ${integer(f32)}.`,
  label: 'A leolvasott távolság',
  value: (distance, values) => `${integer(distance)} távolság: ${values}`,
  helpOfArrow:
    'Páronként egy mutató, kezdetben függőleges, a távolsággal elforgatva. A zöld nyíl az átlaguk. A távolság húzható.',
  helpOfModel: ({ model, layer, head, query, key }) =>
    `${model}, ${headName({ layer, head })} párjai: a lekérdezés (query) „${query.token}”, a kulcs (key) „${key.token}”; hosszuk |q||k|, kezdő szögük az, amelyet egy helyen állva zárnak be. A zöld nyíl az átlaguk.`,
  hands: 'mutatók',
  handsOf: { alike: 'egyformák', model: headName },
  between: 'távolság',
  arrowLength: 'a nyíl hossza',
  onDial: (hands, distance) => `${integer(hands)} mutató, ${integer(distance)} token`,
  near: (angle) => `${integer(angle)}°-on belül`,
  round: 'körbement',
  ofHands: (hands) => `mennyit fordult ${integer(hands)} mutató`,
  distanceOf: (distance) => `${integer(distance)} távolság`,
  within: (near, hands, angle) => [`${integer(angle)}°-on belül`, `${integer(near)} / ${integer(hands)}`],
  three: 'Három távolság',
  arrow: ({ distance, length, along, near, round, hands, angle }) =>
    `${integer(distance)} távolság: a nyíl hossza ${short(length)}, ebből ${short(along)} áll függőlegesen, ez a pontszám. ${integer(hands)} mutatóból ${integer(near)} legfeljebb ${integer(angle)}°-ot fordult, ${integer(round)} körbement.`,
  table: 'távolság szerint',
} satisfies Messages
