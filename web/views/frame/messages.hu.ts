import { integer, headName } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  more: 'egyéb',
  // “Megosztás” is too long: with it the map’s title has two rows at 1280 px.
  share: 'Link',
  shared: 'Link másolva',
  figure: {
    word: 'Ábra',
    form: 'Méret',
    forms: { column: 'egy hasáb', page: 'két hasáb', slide: 'dia' },
    files: { svg: 'SVG', pdf: 'PDF', png: 'PNG' },
    crosshair: 'szálkereszt',
    caption: 'képaláírás',
    size: (width, height, dots) =>
      `${integer(width)} × ${integer(height)} mm; a PNG felbontása ${integer(dots)} képpont hüvelykenként`,
    stale: 'A szöveg vagy egy beállítás megváltozott. Az ábrát akkor mentheti, amikor az új eredmény elkészült.',
    pdf: 'A PDF a nyomtatás ablakát nyitja meg: ott válassza a „Mentés PDF-ként” lehetőséget.',
  },
  parts: { encoder: 'kódoló', decoder: 'dekódoló', cross: 'keresztfigyelem' },
  quoted: (text) => `„${text}”`,
  largestParts: 'A legnagyobb részek:',
  explain: {
    menu: 'Honnan jön a száma',
    word: 'Levezetés',
    help: (site) => `Honnan jön: ${site}`,
    keys: 'Az e billentyű vagy egy dupla kattintás megmutatja, honnan jön a kiválasztott szám.',
  },
  embed: {
    word: 'Beágyazás',
    title: (layer, head) => `Az ${headName({ layer, head })} fej térképének beágyazása egy másik oldalba`,
    element: 'HTML-elemként',
    script: 'JavaScriptként, modulban',
    unchanged: (change) => `A kódrészletek a változatlan modellt futtatják, nem ezt: ${change}.`,
    folder: (folder) => `Az Ön fájljainak nincs címe: tegye a mappájukat az oldala mellé, ${folder} néven.`,
    obstacles: (most) => ({
      random: 'Nincs kódrészlet: e modell súlyait ez az oldal sorsolta, ezért más oldal nem tudja betölteni őket.',
      files:
        'Nincs kódrészlet: címről a csomag csak a model.safetensors fájlt olvassa. E modell súlyai más fájlokban vannak.',
      words:
        'Nincs kódrészlet: ennek a modellnek szavakra vágott kínai szöveg kell. Adjon ehhez egy függvényt a csomagnak: a README cutWords néven írja le.',
      length: `Nincs kódrészlet: ez a szöveg hosszabb, mint amennyit a csomag ezzel a modellel olvas, azaz ${integer(most)} token.`,
      text: 'Nincs kódrészlet: a szöveg üres.',
    }),
    shortened: (tokens) =>
      `A szöveg túl hosszú ennek a modellnek. A kódrészletekben az a része van, amelyet az oldal olvas: az első ${integer(tokens)} token.`,
    sizes: (engine, element, shaders) =>
      `A látogató tömörítve ${integer(engine)} kB motort és ${integer(element)} kB elemet tölt le, WebGPU esetén még ${integer(shaders)} kB árnyalót, és hozzá a modellt.`,
    noSizes: 'Az oldal embed/ mappájából semmit sem sikerült olvasni: a méretek ismeretlenek.',
    limits:
      'A látogató memóriájához túl nagy modellt a motor már a fejléce alapján visszautasítja, mielőtt a súlyait letöltené. Ha kisebb modell kell, írja az elemhez: weights="int8" vagy "int4", JavaScriptben pedig: load(…, { weights: \'int8\' }).',
    threads:
      'A CPU-n több szál dolgozik, ha a kiszolgálója elküldi ezeket: Cross-Origin-Opener-Policy: same-origin és Cross-Origin-Embedder-Policy: require-corp.',
    origin:
      'A böngésző csak az oldaléval azonos eredetű (origin) workert indít. Más webhelyen tegye ezeket a fájlokat és a modell mappáját az oldala mellé, és írja át a címüket:',
  },
  of: (word, title) => `${word}: ${title}`,
  formula: 'Képlet és forrás',
  numbers: 'Számok',
  keys: 'Billentyűk',
  allKeys: 'A ? billentyű mindet felsorolja.',
  export: 'Mentés vagy másolás',
  csv: 'CSV',
  json: 'JSON',
  everything: {
    make: 'Minden köztes érték letöltése (.safetensors)',
    running: 'A szöveg fut, hogy minden köztes értéke meglegyen…',
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
  sheetBroken: (word) =>
    `A párbeszédablakot nem sikerült letölteni. Ellenőrizze a kapcsolatot, és nyomja meg újra: ${word}.`,
  again: 'Újra',
  needsRun: 'Az első eredménnyel jelenik meg.',
  needsModel: 'Nincs betöltött modell. A Modellek alatt nyithat meg egyet.',
  clamped: (clamp) =>
    `Ebben a futásban a távolság legfeljebb ${integer(clamp)}. A távolabbi tokenek pontszámai korlát nélkül vannak ábrázolva: nem a modelléi.`,
  nothingTurns:
    'Nem elérhető: ez a modell a pozíciókat a beágyazásaihoz adja, ezért a lekérdezések és kulcsok nem forognak.',
  notServed: 'Ehhez a modellhez nem elérhető.',
  instead: 'Inkább a figyelem térképét mutassa',
  turning: (pairs, context) =>
    `Az első eredményig: így forog ${integer(pairs)} frekvenciapár, tokenenként mind a maga szögével. Árnyékolva: az elfordulás ${integer(context)} token alatt. A szám: hány token egy fordulat.`,
} satisfies Messages
