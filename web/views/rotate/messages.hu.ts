import { integer, score, signed, the } from '../../i18n/numbers'
import { key, number, query, sentence } from '../../i18n/rich'
import type { Messages } from './messages.en'

const place = (distance: number) =>
  distance > 0 ? `${integer(distance)} tokennel előbb` : `${integer(-distance)} tokennel később`

export default {
  help: 'Minden számlap egy pár: a lekérdezés (kék) fölfelé mutat, a kulcs (narancs) elfordul. Pontozva: a kulcs forgatás előtt.',
  source:
    'RoFormer (Su és mások 2021, arXiv 2104.09864), 35. egyenlet. Az i. pár a lekérdezést mθᵢ, a kulcsot nθᵢ szöggel fordítja, ezért kettejük között csak (m − n)θᵢ számít: ez a kitöltött szög. φᵢ a kulcstól a lekérdezésig mért szög forgatás előtt. Egy mutató olyan hosszú, mint a pár két összetevője; minden számlapnak ugyanaz a léptéke. Egy rész a két hossz, a szög koszinusza és a modell tényezőjének szorzata. Az elmozdított kulcs vektora a régi marad: más szövegben más volna.',
  loading: 'A fej olvasása…',
  nothing: 'Ez a fej egyetlen párt sem forgat: a pontszámai minden távolságra ugyanazok.',
  label: (query, key) =>
    `Minden forgó pár számlapja: lekérdezés ${query}, kulcs ${key}. A nyilak egy párt választanak.`,
  distance: 'A kulcs elmozdítása',
  at: (distance) => (distance === 0 ? 'a lekérdezés helyén' : place(distance)),
  putBack: 'Vissza a helyére',
  pair: (pair, rotation, part) => `${pair}. pár: elfordulása ${rotation}, a része ${signed(part)}`,
  none: 'nincs pár kiválasztva',
  table: 'Mennyit fordulnak a párok',
  columns: [
    'pár',
    'tokenek egy fordulathoz',
    '|q|',
    '|k|',
    'szög forgatás előtt',
    'elfordult',
    'közbezárt szög',
    'része',
  ],
  headline({ query: asks, key: answers, head, distance, isMoved, pairs, total, site, main }) {
    const line = sentence`${head} fej, lekérdezés ${query(asks)}, kulcs ${key(answers)}${isMoved ? ', elmozdítva' : ''}. Mind ${the(pairs)} ${integer(pairs)} pár összege ${number(score(total), site)}.`
    if (distance === 0) return { title: 'Ugyanott semmi sem fordul: a pontszám csak a vektoroké.', line }
    const where = place(distance)
    if (!main) return { title: `Ha a kulcs ${where} áll, egyik pár sem ad hozzá semmit.`, line }
    return {
      title: `Ha a kulcs ${where} áll, ${the(main.pair)} ${main.pair}. pár elfordulása ${main.rotation}, a része ${signed(main.part)}.`,
      line,
    }
  },
} satisfies Messages
