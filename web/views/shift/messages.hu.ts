import { difference } from '../../i18n/format'
import { decimal, integer } from '../../i18n/numbers'
import { en, type Messages } from './messages.en'

export default {
  // The headline begins with the change, which is named in English.
  ...en,
  help: 'Minden pozícióhoz ugyanannyit ad. Minden mutató fordul; a kettő közötti szög, és így minden súly, marad.',
  source:
    'RoFormer (Su és mások 2021, arXiv 2104.09864), 16. egyenlet: a pontszám a két pozíciónak csak a különbségét tartalmazza. Ami marad, az a szögek, szorzatok és összegek kerekítése 32 bites számokra. Minden fej minden súlyát és minden token minden logitját összevetjük ugyanannak a szövegnek az eredeti helyén mért értékeivel, a mutatott futás mellett két másikban. Azt nem mutatja, mit kezd a modell sosem látott távolságokkal: itt mind a régi marad. A pozíciójukkal forgatott értékek a RoFormer rotary_value beállítása; forgatva és a lekérdezés pozíciójával visszaforgatva RoVE (arXiv 2606.11275). Amit bármelyik egy nem így tanított modell tippjeivel tesz, az nem mértéke a módszernek.',
  offset: 'minden pozícióhoz adva',
  offsetLabel: 'A minden pozícióhoz adott szám',
  slider: (offset, weight) =>
    weight === undefined
      ? `${integer(offset)} hozzáadva`
      : `${integer(offset)} hozzáadva; egy súly legnagyobb változása ${difference(weight)}`,
  by: 'eltolás',
  pair: (pair) => `${pair}. pár`,
  turns: (turns) => `${turns < 10 ? decimal(turns, 2) : integer(Math.floor(turns))} fordulat`,
  between: (degrees) => `közte ${degrees}`,
  weights: 'egy súly legnagyobb változása',
  logits: 'egy logit legnagyobb változása',
  values: 'értékek',
  rotated: 'pozíciójukkal forgatva',
  rotatedHint: 'a RoFormer rotary_value beállítása: nem forgatja vissza',
  rotatedOnly: 'a rotary_value a RoFormeré: ennek a modellnek nincs',
  rotatedAlready: 'ez a modell magától forgatja az értékeit',
  rotatedBack: 'forgatva és visszaforgatva',
  rotatedBackHint: 'RoVE: saját pozíciójukkal, és amit a fej ad, vissza a lekérdezésével',
  largest: (head, place) => `legtöbbet változik: ${head}. fej, ${place}`,
  rounding: 'egy kerekítés 32 bites számra',
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
