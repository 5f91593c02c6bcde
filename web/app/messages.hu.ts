import { integer, list } from '../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  home: 'ropescope, a Felfedezőhöz',
  pages: 'Oldalak',
  page: { explorer: 'Felfedező', read: 'Olvasmány', models: 'Modellek', about: 'Névjegy' },
  language: 'Nyelv',
  skip: 'Ugrás a tartalomhoz',
  skipToViews: 'Ugrás a nézetekhez',
  loading: 'Betöltés…',
  pageBroken: 'Ezt az oldalt nem sikerült letölteni. Ellenőrizze a kapcsolatot, és próbálja újra.',
  again: 'Újra',
  dismiss: 'Elrejtés',
  dismissIt: (title) => `Elrejtés: ${title}`,
  copied: 'Másolva.',
  privacy:
    'A ropescope ebben a böngészőben fut: a szövegei és a modelljei nem hagyják el ezt a gépet. MIT vagy Apache 2.0.',
  hubBroken: 'A hub modelljeihez szükséges kódot nem sikerült letölteni',
  missingModel: {
    title: (name) =>
      name === ''
        ? 'Ez a hivatkozás a küldő saját modelljével készült, de nem nevezi meg.'
        : `Ez a hivatkozás olyan modellel készült, amely nem része az oldalnak: „${name}”.`,
    text: 'A szövege, a feje és a nézetei megvárják: nyissa meg a modell mappáját, vagy nézze meg inkább az oldal egyik modelljét.',
    open: 'A mappa megnyitása',
    instead: (model) => `Inkább a ${model} modell`,
  },
  comparesWith: (layer, head) => `Összevetés: ${layer}. réteg, ${head}. fej.`,

  model: 'Modell',
  noModel: 'nincs modell',
  sizes: (layers, heads) => `${integer(layers)} réteg × ${integer(heads)} fej`,
  ownModel: 'Saját modell megnyitása…',

  engine: 'Motor',
  notRunning: 'leállt',
  starting: 'indul…',
  seconds: (value) => `${value} s`,
  milliseconds: (value) => `${value} ms`,
  took: (time) => `${time} az indítástól az eredményig`,
  dispatches: (count) => `${integer(count)} dispatch`,
  bytes: (allocated, read) => `${allocated} lefoglalva, ${read} visszaolvasva`,
  backendLabel: 'Háttérrendszer',
  backend: {
    auto: { text: 'Automatikus', hint: 'GPU, ha van hardveres adapter, különben CPU' },
    gpu: { text: 'GPU', hint: 'WebGPU, szoftveres adapteren is' },
    cpu: { text: 'CPU', hint: 'WebAssembly' },
  },
  useCpu: 'A CPU használata',
  weightsLabel: 'Súlyok',
  weights: {
    auto: { text: 'Automatikus', hint: 'f32, ha a modell kicsi, különben a memóriába férő legpontosabb formátum' },
    f32: { text: 'f32', hint: 'súlyonként 4 bájt' },
    f16: { text: 'f16', hint: 'súlyonként 2 bájt, 11 értékes bit' },
    bf16: { text: 'bf16', hint: 'súlyonként 2 bájt, 8 értékes bit' },
    int8: { text: 'int8', hint: '8 bites, 32-es blokkonként egy skála (súlyonként ≈ 1 bájt)' },
    int4: { text: 'int4', hint: '4 bites, 32-es blokkonként egy skála (súlyonként ≈ ½ bájt)' },
    stored: { text: 'mint a fájl', hint: 'a fájl formátuma' },
  },
  weightsIn: (format, bytes) => `Mátrixok a memóriában: ${format}, ${bytes} súly`,
  useThreads: (count) => `${integer(count)} szál használata (egyszer újratölti az oldalt)`,
  useOne: 'Egyetlen szál használata (egyszer újratölti az oldalt)',
  controls: 'Téma, visszavonás, billentyűk',
  theme: 'Téma',
  themes: { system: 'Rendszer', light: 'Világos', dark: 'Sötét' },
  undo: 'Visszavonás',
  redo: 'Mégis',
  keysButton: 'Billentyűk',
  report: 'Jelentés másolása',
  restart: 'Motor újraindítása',
  byHand: 'A vágólap le van tiltva. Jelölje ki a jelentést, és másolja:',
  source: 'Forráskód és parancssor',
  docs: 'Dokumentáció (angolul)',

  offline: {
    title: 'Hálózat nélkül',
    unavailable: 'Nincs offline másolat: a böngésző csak https-oldalaknak engedi.',
    starting: 'Az első eredmény után az oldal és modellje ezen a gépen tárolódik.',
    removed: 'Ezen a gépen semmi sincs tárolva.',
    stored: (bytes, models, all) =>
      `${bytes} ezen a gépen tárolva. Hálózat nélkül működik: ${all ? 'az oldal és minden modellje' : list(['az oldal', ...models])}.`,
    lost: 'A böngésző törölte az offline másolatot.',
    storeAll: (bytes) => `Minden tárolása hálózat nélküli használatra${bytes ? ` (még ${bytes})` : ''}`,
    progress: 'Eddig tárolva',
    bytes: (loaded, total) => `${loaded} / ${total}`,
    remove: 'Offline másolat törlése',
    failed: (reason) => `A tárolás nem sikerült (${reason}).`,
    newer:
      'Elkészült az oldal újabb változata. Akkor indul, ha a mostani minden lapját bezárja, vagy most rögtön: ez a lap ekkor elveszti a visszavonható lépéseket, a méréseket és a fájlokból megnyitott modellt; a többi lap előbb rákérdez.',
    useNewer: 'Minden lap újratöltése',
    tookOver: {
      title: 'Egy másik lap az oldal újabb változatára váltott',
      text: (losses) =>
        `Ez a lap még a régebbit futtatja, és egyes részei már nem biztos, hogy megnyílnak. Ha végzett, töltse újra: a szöveg megmarad, de elvész: ${list(losses)}.`,
      reload: 'A lap újratöltése',
    },
    unsaved: {
      files: 'a fájlokból megnyitott modell',
      writing: 'a készülő folytatás',
      losses: 'a megmért veszteségek',
      undo: 'a visszavonható lépések',
    },
  },

  keys: {
    title: 'Billentyűk',
    lead: 'A megnyitott nézetek billentyűi. A Tab visz egyikről a másikra.',
    characters:
      'Egykarakteres billentyűparancsok, mint ? n p b. Nélkülük is működnek a nyilak, az Escape és a Ctrl-lal vagy ⌘-bal nyomott billentyűk.',
    everywhere: 'Mindenütt',
    page: {
      undo: 'visszavonja az utolsó választást vagy beírt szót',
      redo: 'újra elvégzi',
      keys: 'megnyitja ezt a listát',
      hold: 'azt mutatja, amit a fölé vitt egérmutató, és semmit sem választ ki',
    },
    views: 'A nézeteken',
    viewKeys: {
      explain: 'a kiválasztott szám levezetése',
      twice: 'a mutató alatti szám levezetése',
    },
    heads: 'Fejek',
    headKeys: {
      heads: 'az előző, a következő fej',
      layers: 'ugyanaz a fej az előző, a következő rétegben',
      compare: 'ezzel a fejjel veti össze',
    },
    grid: 'A fejek rácsán',
    gridKeys: {
      across: 'másik fej',
      along: 'másik réteg',
      ends: 'az első, az utolsó fej',
      pages: 'az első, az utolsó réteg',
    },
    tokens: 'A tokeneken',
    tokenKeys: (canMask) => ({
      across: 'az előző, a következő token',
      ends: 'az első, az utolsó token',
      pages: 'tíz tokennel vissza vagy tovább',
      query: 'lekérdezéssé teszi',
      key: 'kulccsá teszi',
      ...(canMask ? { mask: 'maszkolja, vagy visszaadja a szót' } : {}),
    }),
    figures: 'Az ábrákon',
    figureKeys: {
      across: 'az előző, a következő pár vagy pozíció',
      along: 'ugyanaz, vagy több és kevesebb',
      ends: 'az első, az utolsó',
      figure: 'a fejezet ábrájához ugrik',
      leave: 'megszünteti a pár kiválasztását, vagy visszalép a szöveghez',
    },
  },
} satisfies Messages
