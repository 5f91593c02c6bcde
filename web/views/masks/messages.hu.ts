import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: 'A kódoló–dekódoló három maszkja a legutóbbi futásban: színezve, ahol a lekérdezés láthatja a kulcsot.',
  source:
    'A futásból olvasva: a maszk a színezett mezők pontszámához 0-t ad, a többihez az ábrázolható legkisebb számot (Vaswani és mások 2017, 3.2.3. szakasz). Egyetlen forrásban nincs kitöltő token, ezért a maszkja és a szöveg és a forrás közötti maszk semmit sem takar el.',
  names: {
    encoder: 'kitöltés: forrás → forrás',
    decoder: 'kauzális: szöveg → szöveg',
    cross: 'kódoló–dekódoló: szöveg → forrás',
  },
  loading: 'A maszkok olvasása…',
  label: 'Három maszk: a színezett mezők azok a kulcsok, amelyeket a lekérdezés láthat.',
  headline: (visible, all) =>
    `A szöveg lekérdezései ${integer(all)} kulcsból ${integer(visible)} kulcsot látnak: semmit, ami utánuk jön.`,
  line: (source, text) => `A forrás ${integer(source)} token, a szöveg a kezdő tokennel együtt ${integer(text)}.`,
  corner: 'lekérdezés',
} satisfies Messages
