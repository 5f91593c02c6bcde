import { integer } from '../../i18n/numbers'
import type { Failures, Phrase } from './failures.en'

const megabytes = (bytes: number) => `${integer(Math.ceil(bytes / 2 ** 20))} MB`
const bytes = (count: number) => `${integer(count)} bájt`
/** Reasons from elsewhere end without a stop. */
const sentence = (reason: string) => (/[.!?]$/.test(reason) ? reason : `${reason}.`)
const save = 'Mentse a modellt a transformersszel: a save_pretrained() model.safetensors fájlt ír.'

const phrases: Readonly<Record<Phrase, string>> = {
  'the weights': 'a súlyok',
  'a copy of the weights': 'a súlyok másolata',
  'the stored matrices': 'a tárolt mátrixok',
  'the activations': 'a köztes tenzorok',
  'an activation': 'egy köztes tenzor',
  'an answer': 'egy eredmény',
  'the cache': 'a KV-gyorsítótár',
  'the repetition penalty': 'az ismétlési büntetés',
  fills: 'a jósolt tokenek',
  'an attention map': 'egy figyelemtérkép',
  queries: 'lekérdezések',
  keys: 'kulcsok',
  '0 or more': '0 vagy több',
  'from 0 (all candidates) to 64': '0 (minden jelölt) és 64 között',
  'above 0 and at most 1': '0 fölött, legfeljebb 1',
  'from 0 to 1': '0 és 1 között',
  'from 1e-20 to 1e20': '1e-20 és 1e20 között',
  'is there twice': 'kétszer szerepel',
  'reaches out of its storage': 'kilóg a tárolójából',
  'save the model again': 'mentse újra a modellt',
  'download the file again': 'töltse le újra a fájlt',
  'save it again with tensor.contiguous(), or the model with save_pretrained()':
    'mentse újra a tensor.contiguous() eredményét, vagy a modellt a save_pretrained() függvénnyel',
  'a zip archive without the one data.pkl that PyTorch writes':
    'zip-archívum a PyTorch egyetlen data.pkl fájlja nélkül',
  'a TorchScript archive, a program with its weights': 'TorchScript-archívum: program a súlyaival',
  'written by a big-endian machine': 'big-endian gépen írt fájl',
  'a state dict whose storages are parts of each other': 'state dict, amelynek tárolói egymás részei',
  'a state dict with a tensor that is conjugated or negated': 'state dict konjugált vagy negált tenzorral',
}
/** A fixed phrase in this language; other parameters stay as they are. */
const phrase = (text: string) => phrases[text as Phrase] ?? text

export default {
  noWorker: 'a munkaszál nem indítható el',
  wasm: ({ reason }) => sentence(`A motor WebAssembly-kódja nem tölthető be: ${reason}`),
  restarted: () => 'A motor újraindult.',
  'no-engine': () => 'Nem fut motor: nem indult el, vagy többször összeomlott. Indítsa újra a motort.',
  'too-many-angles': ({ positions, pairs, limit }) =>
    `${integer(positions)} pozíció és ${integer(pairs)} pár több mint ${integer(limit)} szög.`,
  'invalid-distance': ({ distance }) =>
    `A távolságkorlát nem lehet ${String(distance)}: adjon meg egy egész számú tokent, 0-t vagy többet.`,

  'no-files': () =>
    'Nincs megnyitott fájl. Olyan mappát válasszon, amelyben megvan a config.json, a súlyok (model.safetensors vagy egy PyTorch-fájl), valamint a tokenizer.json vagy a vocab.txt.',
  'missing-config': () =>
    'Hiányzik a config.json, amely a modell méreteit adja meg. Nyissa meg az egész mappát, vagy válassza ki a súlyokkal együtt.',
  'missing-tokenizer': ({ marian }) =>
    marian
      ? 'A mappában a Marian source.spm, target.spm és vocab.json fájlja van; ezeket az oldal nem olvassa. A forráskód training/marian_tokenizer.py programja tokenizer.json fájlt készít belőlük: utána nyissa meg újra a mappát.'
      : 'Sem tokenizer.json, sem vocab.txt nincs, ezért a szöveg nem bontható tokenekre. Olyan mappát nyisson meg, amelyben valamelyik megvan.',
  'sharded-weights': ({ name }) =>
    `A(z) ${name} a súlyoknak csak egy része, és hiányzik a részek listája (model.safetensors.index.json). Nyissa meg az egész mappát.`,
  'missing-weights': ({ name }) =>
    name === undefined
      ? 'A mappában nincsenek súlyok: sem model.safetensors, sem PyTorch-fájl. Olyan mappát nyisson meg, amelyben a config.json mellett ott vannak.'
      : `A súlyok fájlja: ${name}. Nevezze át model.safetensors névre, és nyissa meg újra a mappát.`,
  'missing-file': ({ name, path }) =>
    path === undefined
      ? `A megnyitott fájlok között nincs ilyen: ${name}.`
      : `A(z) ${name} nem található itt: ${path}. Ellenőrizze, hogy közzétették-e az oldallal együtt.`,
  'fetch-failed': ({ name = 'Az oldalnak az ilyen súlyokat olvasó része', status, reason = '' }) =>
    status === undefined
      ? `${name}: a letöltés nem sikerült (${reason}). Ellenőrizze a kapcsolatot, és próbálja újra.`
      : `${name}: a letöltés nem sikerült, a kiszolgáló válasza ${status}.`,
  'read-failed': ({ name, reason }) =>
    `A(z) ${name} nem olvasható végig (${reason}). Próbálja újra, vagy nyissa meg ismét a fájlokat.`,
  'file-not-found': ({ path }) =>
    `${path}: nem található. A modell olyan mappa, amelyben config.json és model.safetensors van.`,
  io: ({ path, reason }) => sentence(`A(z) ${path} nem olvasható: ${reason}`),
  pickle: () => 'A súlyok fájlja nem safetensors, hanem PyTorch-fájl: nevezze át pytorch_model.bin névre.',
  'cut-short': ({ file = 'A súlyok fájlja', expected, found }) =>
    `${file}: csonka. ${bytes(expected)} helyett ${integer(found)} van meg. Töltse le újra.`,
  'malformed-checkpoint': ({ file = 'A súlyok fájlja', reason }) =>
    `${file}: nem olvasható (${reason}). Töltse le újra.`,
  'missing-tensor': ({ name }) =>
    `A súlyok közül hiányzik az architektúrához kellő ${name} tenzor. Ugyanehhez a modellhez tartozik a config.json?`,
  'wrong-shape': ({ name, expected, found }) =>
    `A(z) ${name} tenzor alakja [${found.join(', ')}], a config.json szerint [${expected.join(', ')}] kellene. Ugyanahhoz a modellhez tartoznak?`,
  'unsupported-dtype': ({ name, dtype }) =>
    `A(z) ${name} tenzor típusa ${dtype}. Mentse a modellt float32, float16 vagy bfloat16 (F32, F16, BF16) formában.`,
  'missing-shard': ({ index, name, others }) =>
    `A(z) ${name} hiányzik, pedig szerepel a(z) ${index} fájlban${others > 0 ? ` (még ${integer(others)} hiányzik)` : ''}. Az összes fájlt tartalmazó mappát nyissa meg.`,
  index: ({ index, reason }) => `A(z) ${index} nem olvasható súlyjegyzék (${reason}). Töltse le újra.`,
  'misplaced-tensor': ({ index, tensor, file }) =>
    `A(z) ${index} szerint a(z) ${tensor} tenzor helye ${file}, de nincs ott. Ugyanabból a letöltésből valók?`,
  'tensor-twice': ({ tensor, first, second }) =>
    `A(z) ${tensor} tenzor két fájlban is szerepel: ${first} és ${second}. Ugyanabból a letöltésből valók?`,
  'several-weights': ({ names }) =>
    `Több fájlban is lehetnek a súlyok (${names}). Olyan mappát nyisson meg, amelyben csak az egyik van.`,
  'other-weights': ({ file, what }) =>
    `Az oldal nem olvassa ezt a formátumot: ${file}${what === undefined ? '' : ` (${phrase(what)})`}. ${save}`,
  'compressed-weights': ({ file, entry }) =>
    `${file}: a(z) ${entry} bejegyzés tömörített; a PyTorch nem ír ilyet. Mentse újra a torch.save() függvénnyel.`,
  'pickle-call': ({ file, what, under }) =>
    `A(z) ${file} ezt futtatná: ${what}${under === null ? '' : ` (${under})`}. Pickle-fájlból az oldal csak tenzorokat és egyszerű adatokat olvas: semmi sem futott le. Ha megbízik a forrásában, mentse újra safetensorsként; ha nem, törölje.`,
  tensor: ({ file, tensor, what, remedy }) =>
    `${file}, ${tensor} tenzor: ${phrase(what)}. Megoldás: ${phrase(remedy)}.`,
  'no-tensors': ({ file, keys }) =>
    `A(z) ${file} fájlban nincsenek névvel ellátott tenzorok${keys.length === 0 ? '' : `, csak: ${keys.join(', ')}`}. ${save}`,

  'beyond-format': ({ name, format }) =>
    `A(z) ${name} számai kilépnek a(z) ${format} tartományából. Tartsa a súlyokat más formátumban.`,
  'config-not-json': ({ reason }) => sentence(`A config.json nem beállításokat tartalmazó JSON-objektum: ${reason}`),
  'config-value': ({ key, found, expected }) => `config.json: ${key} értéke ${found}; ez lehet: ${expected}.`,
  unsupported: ({ key, found, supported }) =>
    `config.json: ${key} értéke ${found}, ez itt nem fut. Támogatott: ${supported}.`,
  'odd-head-size': ({ hidden_size, heads, head_size }) =>
    `config.json: hidden_size ${hidden_size} / num_attention_heads ${heads} = ${head_size}, páratlan fejméret. A forgatáshoz párok kellenek.`,
  'heads-do-not-divide': ({ hidden_size, heads }) =>
    `config.json: a hidden_size (${hidden_size}) nem osztható a num_attention_heads értékével (${heads}).`,
  'key-heads-do-not-divide': ({ heads, key_heads }) =>
    `config.json: a num_attention_heads (${heads}) nem osztható a num_key_value_heads értékével (${key_heads}).`,
  'unsupported-rope': ({ found }) =>
    `A(z) „${found}” RoPE-típus itt nem fut. Támogatott: default, linear, dynamic, yarn, longrope, llama3 és proportional.`,
  'rope-value': ({ key, found, expected }) => `RoPE-beállítások: ${key} értéke ${found}; ez lehet: ${expected}.`,
  'rope-not-finite': () =>
    'A RoPE beállításaiból nem számok jönnek ki frekvenciának. Ellenőrizze a rope_theta értékét és a szorzókat.',

  'id-out-of-vocabulary': ({ id, row, position, vocab_size }) =>
    `A(z) ${id} azonosító (${row}. sor, ${position}. pozíció) kívül esik a ${integer(vocab_size)} elemű szókészleten. Másik modell tokenizálóját használta?`,
  'token-type-out-of-range': ({ id, row, position, type_vocab_size }) =>
    `A(z) ${id} tokentípus (${row}. sor, ${position}. pozíció) a tartományon kívül esik: a modell típusai 0 és ${type_vocab_size - 1} közöttiek.`,
  'text-too-long': ({ length, longest, stretches }) =>
    `A szöveg ${integer(length)} token; a modell legfeljebb ${integer(longest)} tokenhez készült. Rövidítse${stretches ? ', vagy kérje az olvasást azon a hosszon túl is' : ''}.`,
  'label-out-of-vocabulary': ({ label, row, vocab_size }) =>
    `A(z) ${row}. sor ${label} címkéje kívül esik a ${integer(vocab_size)} elemű szókészleten.`,
  'invalid-input': ({ reason }) => sentence(reason),
  'empty-text': () => 'A szöveg üres: a futáshoz legalább egy token kell.',
  'offset-too-large': ({ offset, largest }) =>
    `A pozícióeltolás (${integer(offset)}) nagyobb, mint ${integer(largest)}; ott a szögek már nem pontosak. Válasszon kisebbet.`,
  'source-missing': ({ architecture }) => `${architecture}: forrásszöveg után ír. Adja meg a forrást is.`,
  'source-unexpected': ({ architecture }) => `${architecture}: nem olvas forrást. Csak a szöveget adja meg.`,
  'not-causal': ({ architecture }) =>
    `${architecture}: nem kauzális, ezért nem folytat szöveget. Válasszon kauzális nyelvi modellt.`,
  'no-part': ({ architecture, part }) => `${architecture}: egyetlen veremből áll, nincs ilyen része (${part}).`,
  'head-out-of-range': ({ layer, head, layers, heads }) =>
    `Nincs ilyen fej: ${layer}. réteg, ${head}. fej. A modellnek ${layers} rétege és rétegenként ${heads} feje van, a számozás 0-tól indul.`,
  'no-rotation': ({ architecture }) =>
    `${architecture}: nem módosítható, mert csak a lekérdezéseket és kulcsokat forgató modellek módosíthatók.`,
  'log-n': ({ n }) => `A log-n n értéke ${n}, pedig 1-nél nagyobb hossznak kell lennie.`,
  'clamped-pairs': () =>
    'A távolság korlátozása visszaforgat sorokat, ami rögzített vagy kivett párokkal nem lehetséges. Válassza az egyiket.',
  'no-softmax': () =>
    'A log-n és a korlátozott távolság a softmax pontszámait módosítja, a lineáris figyelemben pedig nincs softmax. Futtassa ezek nélkül.',
  'setting-of-roformer': ({ setting, architecture }) =>
    `A(z) ${setting} beállítás csak RoFormernél használható, ez a modell pedig ${architecture}. Futtassa enélkül.`,
  'positions-from-table': () =>
    'A modell egy táblázatból adja hozzá a pozíciókat a beágyazásokhoz, ezért nem tolhatók el. Futtassa a szöveget eltolás nélkül.',
  'trial-size': ({ longest, largest }) =>
    `Ez a méret nem mérhető. Legfeljebb ${integer(longest)} tokent és legfeljebb ${integer(largest)} értékű, páros fejméretet adjon meg.`,
  'trial-too-large': ({ length, head_size, needed, limit }) =>
    `A tárolt mátrixok mérete ${integer(length)} tokennél és ${integer(head_size)} fejméretnél ${megabytes(needed)}, de legfeljebb ${megabytes(limit)} mérhető. Adjon meg kevesebb tokent vagy kisebb fejméretet.`,
  'no-mask': ({ mask_token }) =>
    `A szövegben nincs ${mask_token}. Írjon ${mask_token} jelet oda, ahol szót kell megjósolni.`,
  'no-vocabulary-head': ({ architecture }) =>
    `${architecture}: nincs szókészletfeje, ezért nem jósol tokeneket. Válasszon maszkolt vagy kauzális nyelvi modellt.`,
  tokenizer: ({ path, reason }) => sentence(`${path}: ${reason}`),
  'sampling-setting': ({ key, found, expected }) => `${key} értéke ${found}; ez lehet: ${phrase(expected)}.`,
  'no-candidates': ({ reason }) => `Nem húzható következő token: ${reason}. Épek a súlyok?`,
  cancelled: () => 'A betöltés megszakítva.',
  stale: () => 'A motor már nem őrzi ezt az eredményt. Futtassa le újra a szöveget.',
  busy: () => 'A motor dolgozik. Várja meg, amíg végez, és próbálja újra.',

  'no-model': () => 'Még nincs betöltött modell.',
  'nothing-to-continue': () => 'Nincs folytatható futás. Előbb futtassa a szöveget.',
  'no-heads': () => 'Ez a futás nem őrizte meg a fejeket. Futtassa újra a szöveget.',
  'no-contact-head': () =>
    'A modell fájljában nincs kontaktfej, amely a figyelemből megjósolja az érintkezéseket. Válasszon olyan ESM-2 modellt, amelyben van.',
  'rotation-before-feature-map': () =>
    'Ez a figyelem a jellemzőleképezés előtt forgat, ami nem vonható vissza. Válassza a linear figyelmet.',
  'changed-pairs': () =>
    'Ebben a futásban párok voltak rögzítve vagy kivéve, ezért a forgatás nem vonható vissza. Futtassa a szöveget e módosítás nélkül.',
  'rotated-values': () =>
    'Ez a futás minden fej kimenetét visszaforgatja a lekérdezés pozíciójával, ezért egy értéknek a kimeneti vetítés után nincs saját normája. Futtassa a szöveget az értékek forgatása nélkül.',
  'comparison-too-large': ({ needed, limit }) =>
    `A futás összes térképe és logitja ${megabytes(needed)}, de legfeljebb ${megabytes(limit)} hasonlítható össze. Rövidítse a szöveget.`,
  'rollout-too-long': ({ longest, batch, length }) =>
    `Rollout csak egyetlen, legfeljebb ${integer(longest)} tokenes szövegből készül (most ${integer(batch)} szöveg, egyenként ${integer(length)} token). Rövidítse a szöveget.`,

  'no-adapter': ({ reason }) =>
    `Nincs WebGPU-adapter: ${reason}. Telepítsen grafikus illesztőprogramot, vagy válassza a CPU-t.`,
  'device-refused': ({ reason }) => `A GPU nem adott eszközt: ${reason}. Válassza a CPU-t, vagy próbálja újra.`,
  'self-check': ({ adapter, what }) =>
    `${adapter}: az eredmények eltérnek a CPU-étól (${phrase(what)}). Válassza a CPU-t, és kérjük, jelentse a hibát.`,
  'device-lost': ({ reason }) =>
    reason === undefined ? 'A GPU a modell betöltése közben elveszett.' : sentence(`A GPU elveszett: ${reason}`),
  'out-of-memory': ({ what, needed, limit }) =>
    `${phrase(what)}: ${bytes(needed)} kell, de legfeljebb ${integer(limit)} van. Rövidítse a szöveget, vagy válassza a CPU-t.`,
  'device-memory': ({ what, needed }) =>
    `A GPU memóriájában nincs hely: ${phrase(what)} (${bytes(needed)}). Válassza a CPU-t, rövidebb szöveget vagy kisebb modellt.`,
  'memory-refused': ({ what, needed }) =>
    `${phrase(what)}: ${bytes(needed)} memória kellene, de ez a gép nem ad ennyit. Rövidítse a szöveget, vagy válasszon kisebb modellt.`,
  'too-many-maps': ({ needed, limit }) =>
    `Ebben a szövegben egy fej térképe ${megabytes(needed)}, több mint a visszaolvasható ${megabytes(limit)}. Rövidítse a szöveget.`,
  'file-too-large': ({ needed, limit }) =>
    `A szöveg összes közbülső értéke ${megabytes(needed)}, több mint az itt készíthető fájl ${megabytes(limit)} korlátja. Rövidítse a szöveget, vagy írassa ki a parancssorral.`,
  'row-too-large': ({ name, bytes: needed, limit }) =>
    `${name}: egy sora ${bytes(needed)}, ez a GPU egyszerre ${integer(limit)} bájtot kezel. Válassza a CPU-t.`,
  gpu: ({ reason }) => `A GPU hibát jelzett: ${reason}. Válassza a CPU-t, és kérjük, jelentse a hibát.`,
  'shape-mismatch': ({ op, message }) => sentence(`${op}: ${message}`),
} satisfies Failures
