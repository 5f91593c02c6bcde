import { integer, headName, percent, the } from '../../i18n/numbers'
import { key, sentence } from '../../i18n/rich'
import type { Messages } from './messages.en'

export default {
  help: 'A fej figyelméből mennyit kapnak az egyes kulcsok, az összes lekérdezéstől együtt.',
  source:
    'A fej térképének oszlopösszegei, összegük részeként. A nagy részt kapó kulcs figyelemnyelő (Xiao és mások 2024, arXiv 2309.17453). Kauzális modellben a korai kulcsokat több lekérdezés látja, és már csak ezért is többet kapnak.',
  loading: 'A fej olvasása…',
  linear:
    'A lineáris figyelem súlyai negatívak is lehetnek, ezért nem részei egy összegnek. Válasszon softmax figyelmet az Eltolás nézetben.',
  order: 'Sorrend',
  orders: { part: 'a legnagyobbal kezdve', text: 'ahogy a szövegben' },
  label: (layer, head) =>
    `Sávok: az ${headName({ layer, head })} fej figyelméből az egyes kulcsok része. A nyilak a felsoroláson lépnek végig.`,
  headline: (of, part) => sentence`E fej figyelméből ${key(of)} kap a legtöbbet: ${percent(part)}.`,
  line: (keys) =>
    `Ha mind ${the(keys)} ${integer(keys)} kulcs ugyanannyit kapna, mindegyiknek ${percent(1 / keys)} jutna.`,
  limits: (left, most, causal) =>
    [
      left > 0 ? `Kimaradt a felsorolásból: ${integer(left)} kulcs, egyenként legfeljebb ${percent(most)}.` : '',
      causal ? 'A korai kulcsok azért is kapnak többet, mert több lekérdezés látja őket.' : '',
      'A speciális tokenek lekérdezésként és kulcsként is számítanak. Az értékek kimaradnak: egy kis értékű kulcs keveset ad hozzá, akármekkora a súlya.',
    ]
      .filter(Boolean)
      .join(' '),
  moved: (token, part) => `${token}: ${percent(part)}`,
  table: 'kapott figyelem',
  columns: ['kulcs', 'pozíció', 'rész'],
} satisfies Messages
