import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  more: 'több',
  share: 'Megosztás',
  shared: 'Hivatkozás másolva',
  figure: {
    word: 'Ábra',
    form: 'Méret',
    forms: { column: 'egy hasáb', page: 'két hasáb', slide: 'dia' },
    files: { svg: 'SVG', pdf: 'PDF', png: 'PNG' },
    crosshair: 'célkereszt',
    caption: 'képaláírás',
    size: (width, height, dots) =>
      `${integer(width)} × ${integer(height)} mm; a PNG felbontása ${integer(dots)} képpont hüvelykenként`,
    pdf: 'A PDF a nyomtatás ablakát nyitja meg: ott válassza a „Mentés PDF-ként” lehetőséget.',
  },
  done: 'Bezárás',
  of: (word, title) => `${word}: ${title}`,
  formula: 'Képlet és forrás',
  numbers: 'Számok',
  keys: 'Billentyűk',
  allKeys: 'A ? billentyű mindet felsorolja.',
  export: 'Mentés vagy másolás',
  csv: 'CSV',
  json: 'JSON',
  everything: {
    make: 'Minden közbülső érték letöltése (.safetensors)',
    running: 'A szöveg fut, hogy minden közbülső értéke meglegyen…',
    saved: (command) => `Elmentve. A parancssorban: ${command}`,
  },
  command: 'Ugyanez a parancssorban',
  copy: 'Másolás',
  copied: 'Másolva.',
  copyByHand: 'A vágólap le van tiltva. Jelölje ki, és másolja:',
  failed: (what) => `A böngésző nem készített ${what} fájlt. Próbáljon másik formátumot.`,
  close: (title) => `${title} bezárása`,
  loading: 'Betöltés…',
  broken: 'Ezt a nézetet nem sikerült letölteni. Ellenőrizze a kapcsolatot, és próbálja újra.',
  again: 'Újra',
  needsRun: 'Az első eredménnyel jelenik meg.',
  needsModel: 'Nincs betöltött modell. A Modellek alatt nyithat meg egyet.',
  clamped: (clamp) =>
    `Ebben a futásban a távolság legfeljebb ${integer(clamp)}. A távolabbi tokenek pontszámai korlát nélkül vannak ábrázolva: nem a modelléi.`,
  nothingTurns:
    'Nem elérhető: ez a modell a pozíciókat a beágyazásaihoz adja, ezért a lekérdezések és kulcsok nem forognak.',
  notServed: 'Ehhez a modellhez nem elérhető.',
  turning: (pairs, context) =>
    `Az első eredményig: így forog ${integer(pairs)} frekvenciapár, tokenenként mind a maga szögével. Árnyékolva: az elfordulás ${integer(context)} token alatt. A szám: hány token egy fordulat.`,
} satisfies Messages
