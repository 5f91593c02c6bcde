import { integer, atMost, difference, the, significant } from '../../i18n/numbers'
import type { Messages } from './messages.en'
import { hasNoHover } from '../../ui/pointer'

const largest = (head: string, place: string, weight: number) =>
  `Egy súly legnagyobb változása, ${difference(weight)}, az ${head} fejben van: ${place}.`

const drag = () => (hasNoHover() ? 'Húzza a fogantyút' : 'Húzza a fogantyút, vagy nyomjon meg egy nyílbillentyűt')

export default {
  help: 'Minden pozícióhoz ugyanannyit ad: minden mutató fordul, a kettő közötti szög marad.',
  shiftedHelp: 'Minden mutató fordul, a kettő közötti szög marad. Pontozva: a mutatók eltolás nélkül.',
  source:
    'RoFormer (Su és mások 2021, arXiv 2104.09864), 16. egyenlet: a pontszám a két pozíciónak csak a különbségét tartalmazza. Ami marad, az a szögek, szorzatok és összegek kerekítése 32 bites számokra. Minden fej minden súlyát és minden token minden logitját összevetjük az eltolás nélküli szövegéivel, két külön futásban. Azt nem mutatja, mit kezd a modell olyan távolságokkal, amelyeken nem tanult: itt minden távolság a régi marad. A pozíciójukkal forgatott értékek a RoFormer rotary_value beállítása; forgatva és a lekérdezés pozíciójával visszaforgatva: RoVE (arXiv 2606.11275). Egy olyan modell, amelyet egyikkel sem tanítottak, semmit sem mond a módszer jóságáról.',
  offset: 'minden pozícióhoz adva',
  offsetLabel: 'A minden pozícióhoz adott szám',
  slider: (offset, weight) =>
    weight === undefined
      ? `${integer(offset)} hozzáadva`
      : `${integer(offset)} hozzáadva; egy súly legnagyobb változása ${difference(weight)}`,
  by: 'eltolás',
  pair: (pair) => `${pair}. pár`,
  turns: (turns) => `${turns < 10 ? significant(turns, turns < 1 ? 2 : 3) : integer(Math.floor(turns))} fordulat`,
  between: (degrees) => `közte ${degrees}`,
  weights: 'egy súly legnagyobb változása',
  logits: 'egy logit legnagyobb változása',
  values: 'értékek',
  rotated: 'pozíciójukkal forgatva',
  rotatedHint: 'a RoFormer rotary_value beállítása: a kimenetet nem forgatja vissza',
  rotatedOnly: 'a rotary_value a RoFormeré: ennek a modellnek nincs',
  rotatedAlready: 'ez a modell magától forgatja az értékeit',
  rotatedBack: 'forgatva és visszaforgatva',
  rotatedBackHint: 'RoVE: saját pozíciójukkal, a fej kimenete pedig visszaforgatva a lekérdezésével',
  attention: {
    name: 'figyelem',
    kinds: {
      softmax: 'softmax',
      linear: 'lineáris (19. egyenlet)',
      linear_rotate_first: 'lineáris, előbb forgatva',
    },
    hints: {
      softmax: 'A súlyok a pontszámok softmaxa.',
      linear:
        'A cikk lineáris figyelme: a lekérdezések és kulcsok φ(x) = elu(x) + 1 értéke, utána a forgatás, egy nem forgatott összeggel osztva. A súlyok negatívak is lehetnek, és összegük nem 1. A pontszámok csak a távolságoktól függnek.',
      linear_rotate_first:
        'Elterjedt változat, nem a cikké: a forgatás megelőzi a φ-t. Pontszámai attól függnek, hol kezdődik a szöveg: tolja el az összes pozíciót, és látni fogja.',
    },
  },
  largest: (head, place) => `legtöbbet változik: ${head} fej, ${place}`,
  rounding: 'egy kerekítés 32 bites számra',

  headline: {
    unshifted: 'Nincs eltolás.',
    sample: (offset, weight) =>
      weight === 0
        ? `Ha minden pozícióhoz ennyit adnánk: ${integer(offset)}, egyetlen súly sem változna.`
        : `Ha minden pozícióhoz ennyit adnánk: ${integer(offset)}, egyetlen súly sem változna ennél többet: ${atMost(weight)}.`,
    unshiftedLine: {
      get unrotated(): string {
        return `${drag()}: minden token ennyi pozícióval mozdul.`
      },
      get rotated(): string {
        return `Az értékek a pozíciójukkal forognak. ${drag()}, és nézze meg, mi romlik el tőle.`
      },
      get rotatedBack(): string {
        return `Az értékek forognak, és vissza is forgatjuk őket. ${drag()}: a súlyok megint maradnak.`
      },
    },
    shifted: (change) => `${change}.`,
    loading: 'Minden fej minden súlyának és minden logitnak az összevetése az eltolás nélküli szövegével…',
    failed: (why) => `A súlyok és a logitok változása nincs megmérve: ${why}`,
    invariant: (change, weight) =>
      weight === 0
        ? `${change}, egyetlen súly sem változik.`
        : `${change}, egyetlen súly sem változik ennél többet: ${atMost(weight)}.`,
    invariantLine: (weights, heads, logit, values) => {
      const why = {
        unrotated: 'A pontszámok csak a távolságoktól függnek; ami marad, az kerekítés.',
        rotated: 'Az értékek a pozíciójukkal forognak, mégis csak kerekítés marad.',
        rotatedBack:
          'Az értékek a saját pozíciójukkal forognak, és a lekérdezés pozíciójával vissza: csak a távolságok maradnak.',
      }
      return `Mind ${the(heads)} ${integer(heads)} fej ${integer(weights)} súlyát összevetettük, és egyetlen logit sem változik ennél többet: ${atMost(logit)}. ${why[values]}`
    },
    moves: (change, weight, logit) =>
      `${change}, egy súly változása ${difference(weight)}, egy logité ${difference(logit)}.`,
    movesLine: (head, place, weight) =>
      `Ez több, mint kerekítés: ebben a modellben valami a pozícióktól is függ, nem csak a távolságoktól. ${largest(head, place, weight)}`,
    rotatedLine: (head, place, weight) =>
      `Az értékek a pozíciójukkal forognak, és nem forgatjuk vissza őket, ezért a fejek kimenete a pozíciótól függ, és minden későbbi réteg azt olvassa. ${largest(head, place, weight)}`,
  },

  table: 'kipróbált eltolások',
  columns: [
    'hozzáadva',
    'egy súly legnagyobb változása',
    'réteg',
    'fej',
    'lekérdezés',
    'kulcs',
    'egy logit legnagyobb változása',
  ],
} satisfies Messages
