import type * as engine from '../protocol/failure'
import type { PartName } from '../protocol/parts'
import { integer } from '../../i18n/numbers'
import { hexadecimal, megabytes, numeral, withStop, wordsOf, type Failures, type Words } from './failureWords'

const bytes = (count: number) => `${integer(count)} bájt`
const save = 'Mentse a modellt a transformersszel: a save_pretrained() model.safetensors fájlt ír.'
const rename = 'Nevezze át pytorch_model.bin névre.'
const download = 'Töltse le újra.'

const allocations: Readonly<Record<engine.Allocation, string>> = {
  weights: 'a súlyok',
  'weights-copy': 'a súlyok másolata',
  'rotation-matrices': 'a tárolt mátrixok',
  activations: 'a köztes tenzorok',
  activation: 'egy köztes tenzor',
  results: 'egy eredmény',
  cache: 'a KV-gyorsítótár',
  'repetition-penalty': 'az ismétlési büntetés',
}

const checks: Readonly<Record<engine.SelfCheckResult, string>> = {
  fills: 'a jósolt tokenek',
  'attention-map': 'egy figyelmi térkép',
  queries: 'lekérdezések',
  keys: 'kulcsok',
}

const lists: Readonly<Record<engine.InputList, string>> = {
  ids: 'azonosító',
  'attention-mask': 'szám a figyelmi maszkban',
  'token-types': 'tokentípus',
  'position-ids': 'pozícióazonosító',
  labels: 'címke',
  bans: 'tiltott azonosítók listája',
  draws: 'véletlenszám',
  sources: 'forrás',
}

const jsonTexts: Readonly<Record<engine.JsonText, string>> = {
  'rope-scaling': 'A RoPE skálázása',
  'sampling-settings': 'A mintavételi beállítások szövege',
}

const jsonDefects: Words<engine.JsonDefect> = {
  syntax: ({ line, column }) => `hibás szintaxis (${line}. sor, ${column}. oszlop)`,
  'end-of-text': ({ line, column }) => `túl korán ér véget (${line}. sor, ${column}. oszlop)`,
  'wrong-value': ({ line, column }) => `hiányzó vagy hibás érték (${line}. sor, ${column}. oszlop)`,
  'duplicate-key': ({ key, line, column }) => `kétszer szerepel: ${key} (másodszor: ${line}. sor, ${column}. oszlop)`,
  'too-large': () => 'túl nagy',
}

const findings: Words<engine.Found> = {
  missing: () => 'hiányzik',
  list: ({ length }) => `lista (elemei: ${integer(length)})`,
  object: () => 'objektum',
  key: ({ key }) => `objektum ezzel a kulccsal: ${key}`,
  'too-large': () => 'túl nagy',
  value: ({ value }) => value,
}

const conditions: Words<engine.Condition> = {
  setting: ({ key, value }) => `, ha ${key} értéke ${value}`,
  'sliding-layers': () => ' csúszóablakos rétegben',
}

const parts: Readonly<Record<PartName, string>> = {
  encoder: 'kódoló',
  decoder: 'dekódoló',
  cross: 'keresztfigyelem',
}

const expectations: Words<engine.Expected> = {
  number: () => 'szám',
  'number-from': ({ least }) => `${numeral(least)} vagy több`,
  'number-above': ({ bound }) => `szám ${numeral(bound)} fölött`,
  'number-between': ({ least, most }) => `szám ${numeral(least)} és ${numeral(most)} között`,
  'number-above-up-to': ({ bound, most }) => `${numeral(bound)} fölött, legfeljebb ${numeral(most)}`,
  'more-than': ({ key }) => `több, mint ${key} értéke`,
  'integer-between': ({ least, most }) => `egész szám ${integer(least)} és ${integer(most)} között`,
  'even-number-between': ({ least, most }) => `páros szám ${integer(least)} és ${integer(most)} között`,
  'even-number': () => 'páros szám',
  'even-share': ({ dimensions }) => `páros számú dimenzió aránya (most ${integer(dimensions)})`,
  'other-than-one': () => '1-től különböző szám, mert a yarn megkülönbözteti a gyors és a lassú párokat',
  flag: () => 'true vagy false',
  text: () => 'szöveg',
  'text-list': () => 'nevek listája',
  'id-list': () => 'azonosítók listája',
  'id-lists': () => 'azonosítók listáinak listája',
  ids: ({ most }) => `egész szám 0 és ${integer(most)} között, vagy ilyenek listája`,
  'mask-token-id': () => 'a maszktoken azonosítója, amely a token_dropouthoz kell',
  object: () => 'beállításokat tartalmazó objektum',
  'object-with-object': ({ key }) => `objektum, amelyben ez a kulcs is objektum: ${key}`,
  'label-names': ({ most }) => `objektum, amely számokhoz címkeneveket rendel, legfeljebb ${integer(most)}`,
  'label-numbers': ({ last }) =>
    `objektum, amelynek kulcsai a címkék számai 0 és ${integer(last)} között, mindegyik egyszer`,
  'entry-for-each-layer': () => 'lista, amelyben minden réteghez egy bejegyzés tartozik',
  'factor-for-each-pair': () => 'lista, amelyben minden forgó párhoz egy 0-nál nagyobb szám tartozik',
  'one-for-each-pair': ({ pairs }) => `lista minden forgó párhoz egy elemmel (elemei: ${integer(pairs)})`,
  'setting-of-one-rope': () => 'egyetlen RoPE beállítása, nem rétegtípusonkénti objektum',
  'paired-columns': ({ before, after }) =>
    `olyan, amely a modellhez hasonlóan egy fej ${integer(before)} oszlopát párosítja, nem ${integer(after)} oszlopát`,
}

const forms: Words<engine.FileForm> = {
  unknown: () => 'se nem safetensors, se nem PyTorch-archívum vagy -adatfolyam',
  'zip-without-pickle': () => 'zip-archívum a PyTorch egyetlen data.pkl fájlja nélkül',
  'misnamed-pickle': () => 'PyTorch-fájl safetensors névvel',
  'torch-script': () => 'TorchScript-archívum: program a súlyaival',
  'big-endian': () => 'big-endian gépen írt fájl',
  'overlapping-storages': () => 'state dict, amelynek tárolói egymás részei',
  'conjugated-tensor': () => 'state dict konjugált vagy negált tenzorral',
  'pickle-protocol': ({ protocol }) => `${protocol}. protokollú pickle`,
  'pickle-opcode': ({ opcode, at }) =>
    `pickle ismeretlen műveleti kóddal (${hexadecimal(opcode)}, helye: ${integer(at)})`,
  'encrypted-entry': ({ entry }) => `archívum titkosított bejegyzéssel: ${entry}`,
}

const actions: Words<engine.PickleAction> = {
  'use-name': ({ name }) => `${name} használata`,
  'make-sparse-tensor': ({ name }) => `ritka tenzor készítése (${name})`,
  'make-quantised-tensor': ({ name }) => `kvantált tenzor készítése (${name})`,
  'make-object': ({ name }) => `${name} objektum készítése`,
  'make-object-by-opcode': ({ opcode }) => `saját osztályú objektum készítése (műveleti kód: ${hexadecimal(opcode)})`,
  'use-extension': () => 'osztály használata a nyilvántartási száma szerint',
  'call-dtype': ({ dtype }) => `számtípus meghívása (${dtype})`,
  'call-non-class': () => 'nem osztály meghívása',
  'set-state': () => 'egy objektum állapotának beállítása (BUILD)',
}

const defects: Words<engine.TensorDefect> = {
  'same-name-twice': () => 'kétszer szerepel. Mentse újra a modellt.',
  'outside-storage': () => 'kilóg a tárolójából. Töltse le újra a fájlt.',
  'other-order': ({ shape, strides }) =>
    `számai nem az alak sorrendjében állnak (alak: ${shape}, lépések: ${strides}). Mentse újra a tensor.contiguous() eredményét, vagy a modellt a save_pretrained() függvénnyel.`,
}

const fileDefects: Words<engine.FileDefect> = {
  'no-header': () => 'nem safetensors-fejléccel kezdődik',
  'header-not-json': ({ defect }) => `a fejléce nem tenzorokat leíró JSON: ${wordsOf(jsonDefects, defect)}`,
  'tensor-type': ({ tensor }) => `${tensor}: a dtype nem nevez meg típust`,
  'tensor-place': ({ tensor }) =>
    `${tensor}: a bájtjai átfednek másokat, hézagot hagynak, vagy a kezdetük előtt érnek véget`,
  'tensor-size': ({ tensor, bytes: count, shape, dtype }) =>
    `${tensor}: ${bytes(count)}, de az alakja ([${shape.join(', ')}], ${dtype}) nem ennyit foglal`,
  'reserved-name': () => 'egyik tenzorának neve __metadata__, amely a safetensorsban foglalt név',
  'trailing-bytes': ({ bytes: count }) => `a végén legalább ${bytes(count)} egyik tenzorhoz sem tartozik`,
  'too-large': () => 'többet ír le, mint amennyi egy súlyfájlban lehet',
  'shared-numbers': ({ most }) =>
    `a tenzorai közös számokat használnak, és együttes méretük meghaladja ezt: ${integer(most)} × a fájl mérete`,
  'broken-pickle': () => 'a pickle benne csonka, vagy nem olyan, amilyet a PyTorch ír',
  'zip-directory': () => 'az archívum tartalomjegyzéke hiányzik vagy hibás',
  'zip-entry': ({ entry }) => `${entry}: ez a bejegyzés átfed másokat, vagy nem akkora, mint a tartalomjegyzék szerint`,
  twice: ({ name }) => `${name} kétszer szerepel`,
  'missing-storage': ({ storage }) => `hiányzik ez a tároló: ${storage}`,
  'storage-length': ({ storage }) => `${storage}: a tároló hossza nem annyi, amennyit megad`,
  'storage-without-tensor': ({ storage }) => `${storage}: a tároló egyik tenzorhoz sem tartozik`,
}

const indexDefects: Words<engine.IndexDefect> = {
  'not-json': ({ defect }) => `nem JSON: ${wordsOf(jsonDefects, defect)}`,
  'too-large': () => 'több tenzort sorol fel, mint amennyi bármely modellben van',
  'no-weight-map': () => 'a weight_map egyetlen tenzort sem sorol fel',
  'other-name': ({ name }) => `${name}: nem a mellette lévő súlyfájl neve`,
}

export default {
  noWorker: 'a munkaszál nem indítható el',
  unworded: (code) => `A motor ezt jelezte: „${code}”. A motor és az oldal verziója eltér: töltse be újra az oldalt.`,
  wasm: ({ reason }) => withStop(`A motor WebAssembly-kódja nem tölthető be: ${reason}`),
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
    `${name}: a súlyoknak csak egy része, és hiányzik a részek listája (model.safetensors.index.json). Nyissa meg az egész mappát.`,
  'missing-weights': ({ name }) =>
    name === undefined
      ? 'A mappában nincsenek súlyok: sem model.safetensors, sem PyTorch-fájl. Olyan mappát nyisson meg, amelyben a config.json mellett ott vannak.'
      : `A súlyok fájlja: ${name}. Nevezze át model.safetensors névre, és nyissa meg újra a mappát.`,
  'missing-file': ({ name, path }) =>
    path === undefined
      ? `A megnyitott fájlok között nincs ilyen: ${name}.`
      : `${name}: nem található itt: ${path}. Ellenőrizze, hogy közzétették-e az oldallal együtt.`,
  'fetch-failed': ({ name = 'Az oldalnak az ilyen súlyokat olvasó része', status, reason = '' }) =>
    status === undefined
      ? `${name}: a letöltés nem sikerült (${reason}). Ellenőrizze a kapcsolatot, és próbálja újra.`
      : `${name}: a letöltés nem sikerült, a kiszolgáló válasza ${status}.`,
  'read-failed': ({ name, reason }) =>
    `${name}: nem olvasható végig (${reason}). Próbálja újra, vagy nyissa meg ismét a fájlokat.`,
  pickle: () => `A súlyok fájlja nem safetensors, hanem PyTorch-fájl. ${rename}`,
  truncated: ({ file = 'A súlyok fájlja', expected, found }) =>
    `${file}: csonka. ${bytes(expected)} helyett ${integer(found)} van meg. ${download}`,
  'malformed-checkpoint': ({ file = 'A súlyok fájlja', defect }) =>
    `${file}: nem olvasható (${wordsOf(fileDefects, defect)}). ${defect.kind === 'shared-numbers' ? save : download}`,
  'missing-tensor': ({ name }) =>
    `A súlyok közül hiányzik az architektúrához kellő ${name} tenzor. Ugyanehhez a modellhez tartozik a config.json?`,
  'wrong-shape': ({ name, expected, found }) =>
    `${name}: a tenzor alakja [${found.join(', ')}], a config.json szerint [${expected.join(', ')}] kellene. Ugyanahhoz a modellhez tartoznak?`,
  'unsupported-dtype': ({ name, dtype }) =>
    `${name}: a tenzor típusa ${dtype}. Mentse a modellt float32, float16 vagy bfloat16 (F32, F16, BF16) formában.`,
  'missing-shard': ({ index, name, others }) =>
    `${name}: hiányzik, pedig szerepel ebben: ${index}${others > 0 ? ` (még ${integer(others)} hiányzik)` : ''}. Az összes fájlt tartalmazó mappát nyissa meg.`,
  'invalid-index': ({ index, defect }) =>
    `${index}: nem olvasható súlyjegyzék (${wordsOf(indexDefects, defect)}). Töltse le újra.`,
  'misplaced-tensor': ({ index, tensor, file }) =>
    `${index}: eszerint ${file} tartalmazza ezt a tenzort: ${tensor}, de nincs ott. Ugyanabból a letöltésből valók?`,
  'tensor-twice': ({ tensor, first, second }) =>
    `${tensor}: ez a tenzor két fájlban is szerepel: ${first} és ${second}. Ugyanabból a letöltésből valók?`,
  'several-weights': ({ names }) =>
    `Több fájlban is lehetnek a súlyok (${names}). Olyan mappát nyisson meg, amelyben csak az egyik van.`,
  'other-weights': ({ file, what }) =>
    `Az oldal nem olvassa ezt a formátumot: ${file} (${wordsOf(forms, what)}). ${what.kind === 'misnamed-pickle' ? rename : save}`,
  'compressed-weights': ({ file, entry }) =>
    `${file}: tömörített bejegyzés: ${entry}; a PyTorch nem ír ilyet. Mentse újra a torch.save() függvénnyel.`,
  'pickle-call': ({ file, what, under }) =>
    `${file}: ezt futtatná: ${wordsOf(actions, what)}${under === null ? '' : ` (${under})`}. Pickle-fájlból az oldal csak tenzorokat és egyszerű adatokat olvas: semmi sem futott le. Ha megbízik a forrásában, mentse újra safetensorsként; ha nem, törölje.`,
  'invalid-tensor': ({ file, tensor, defect }) => `${file}, ${tensor} tenzor: ${wordsOf(defects, defect)}`,
  'no-tensors': ({ file, keys }) =>
    `${file}: nincsenek benne névvel ellátott tenzorok${keys.length === 0 ? '' : `, csak: ${keys.join(', ')}`}. ${save}`,
  'beyond-format': ({ name, format }) =>
    `${name}: számai kilépnek a formátum (${format}) tartományából. Tartsa a súlyokat más formátumban.`,
  'config-not-json': ({ defect }) =>
    `A config.json nem beállításokat tartalmazó JSON-objektum: ${wordsOf(jsonDefects, defect)}.`,
  'invalid-config-value': ({ key, found, expected }) =>
    `config.json: ${key} értéke ${wordsOf(findings, found)}; ez lehet: ${wordsOf(expectations, expected)}.`,
  unsupported: ({ key, found, condition, supported }) =>
    `config.json: ${key} értéke ${wordsOf(findings, found)}, ez itt nem fut${condition === null ? '' : wordsOf(conditions, condition)}. Támogatott: ${supported}.`,
  'odd-head-size': ({ hidden_size, heads, head_size }) =>
    `config.json: hidden_size ${hidden_size} / num_attention_heads ${heads} = ${head_size}, páratlan fejméret. A forgatáshoz párok kellenek.`,
  'heads-do-not-divide': ({ hidden_size, heads }) =>
    `config.json: a hidden_size (${hidden_size}) nem osztható a num_attention_heads értékével (${heads}).`,
  'key-heads-do-not-divide': ({ heads, key_heads }) =>
    `config.json: a num_attention_heads (${heads}) nem osztható a num_key_value_heads értékével (${key_heads}).`,
  'unsupported-rope': ({ found }) =>
    `Ez a RoPE-típus itt nem fut: „${found}”. Támogatott: default, linear, dynamic, yarn, longrope, llama3 és proportional.`,
  'invalid-rope-value': ({ key, found, expected }) =>
    `RoPE-beállítások: ${key} értéke ${wordsOf(findings, found)}; ez lehet: ${wordsOf(expectations, expected)}.`,
  'rope-not-finite': () =>
    'A RoPE beállításaiból nem számok jönnek ki frekvenciának. Ellenőrizze a rope_theta értékét és a szorzókat.',

  'id-out-of-vocabulary': ({ id, row, position, vocab_size }) =>
    `Ez az azonosító kívül esik a szókészleten (mérete ${integer(vocab_size)}): ${id} (${row}. sor, ${position}. pozíció). Másik modell tokenizálóját használta?`,
  'token-type-out-of-range': ({ id, row, position, type_vocab_size }) =>
    `Ez a tokentípus a tartományon kívül esik: ${id} (${row}. sor, ${position}. pozíció). A modell típusai 0 és ${type_vocab_size - 1} közöttiek.`,
  'text-too-long': ({ length, longest, stretches }) =>
    `A szöveg ${integer(length)} token; a modell legfeljebb ${integer(longest)} tokenhez készült. Rövidítse${stretches ? ', vagy kérje az olvasást azon a hosszon túl is' : ''}.`,
  'label-out-of-vocabulary': ({ label, row, vocab_size }) =>
    `Ez a címke kívül esik a szókészleten (mérete ${integer(vocab_size)}): ${label} (${row}. sor).`,
  'wrong-count': ({ list, found, expected }) =>
    `${integer(found)} ${lists[list]} van megadva, de ${integer(expected)} kell.`,
  'invalid-mask': ({ row, position }) =>
    `A figyelmi maszk értéke se nem 0, se nem 1 (${row}. sor, ${position}. pozíció). Tokenhez 1, kitöltéshez 0 tartozik.`,
  'only-padding': ({ row }) => `A szövegek ${row}. sora csak kitöltés. Adjon meg benne tokent.`,
  'position-out-of-range': ({ id, length }) =>
    `Ez a pozícióazonosító nem kisebb a hossznál (${integer(length)}): ${id}. A pozíciók számozása 0-tól indul.`,
  'row-out-of-range': ({ row, tokens }) =>
    `Nincs ilyen jóslási sor: ${row}. A szöveg ${integer(tokens)} token. A sorok számozása 0-tól indul.`,
  'top-k-out-of-range': ({ top_k, most }) =>
    `A top-k értéke ${integer(top_k)}, pedig 1 és ${integer(most)} közé kell esnie: ennyi jóslat jut egy sorra.`,
  'no-labels': () => 'Nincs címke. A veszteséghez legalább egy címke kell.',
  'no-texts': () => 'Nincs szöveg: a futáshoz legalább egy szöveg kell.',
  'empty-text': () => 'A szöveg üres: a futáshoz legalább egy token kell.',
  'offset-too-large': ({ offset, largest }) =>
    `A pozícióeltolás (${integer(offset)}) nagyobb, mint ${integer(largest)}; ott a szögek már nem pontosak. Válasszon kisebbet.`,
  'source-missing': ({ architecture }) => `${architecture}: kódoló–dekódoló. Adja meg a forrást is.`,
  'source-unexpected': ({ architecture }) => `${architecture}: nem olvas forrást. Csak a szöveget adja meg.`,
  'not-causal': ({ architecture }) =>
    `${architecture}: nem kauzális, ezért nem folytat szöveget. Válasszon kauzális nyelvi modellt.`,
  'no-part': ({ architecture, part }) =>
    `${architecture}: nem kódoló–dekódoló, ezért nincs ilyen része (${parts[part]}).`,
  'head-out-of-range': ({ part, layer, head, layers, heads }) =>
    `Nincs ilyen fej: ${parts[part]}, ${layer}. réteg, ${head}. fej. Itt ${layers} réteg és rétegenként ${heads} feje van, a számozás 0-tól indul.`,
  'no-rotation': ({ architecture }) =>
    `${architecture}: nem forgatja a lekérdezéseket és a kulcsokat, ezért ez a módosítás nem alkalmazható rá.`,
  'invalid-intervention': ({ text }) =>
    `Ez nem módosítás: „${text}”. Adjon meg egy helyet és egyet ezekből: zero, mean, frozen, rotated, log-n:N, clamp:W vagy egy véges szám, például layer.2.head[6,*,*]=zero.`,
  'wrong-replacement': ({ site, numbers }) =>
    `${site}: itt ez a csere nem lehetséges. A frozen és a zero helye layer.N.query.rotated[head,*,pairs], a zero és a mean helye layer.N.head[head,row,*], a rotated helye layer.*.value, a log-n helye layer.*.query.rotated, a clamp helye layer.*.score, véges számé és a zero helye ${numbers}.`,
  'pairs-out-of-range': ({ first, last, pairs }) =>
    `Ez nem párok tartománya: ${first}–${last}. Adja meg előbb az első, aztán az utolsó párt; a párok száma ${pairs}, a számozás 0-tól indul.`,
  'unknown-site': ({ text }) =>
    `Ez nem hely: „${text}”. Nevezze meg az előreterjesztés egy tenzorát, például layer.2.query vagy attentions.0.`,
  'invalid-site-index': ({ text, axes }) =>
    `Ez nem hely: „${text}”. Az indexének ${axes} tagja van: mindegyik szám, * vagy párok, például p0-3.`,
  'site-out-of-range': ({ site, layers }) => `Nincs ilyen hely: ${site}. A modellnek ${layers} rétege van.`,
  'site-row-out-of-range': ({ site, length }) =>
    `Nincs ilyen hely: ${site}. A szövegben ${length} token van. A sorokat 0-tól számolja.`,
  'no-such-tensor': ({ site }) =>
    `${site}: ilyen tenzora ennek a modellnek nincs. Nem minden modellnek van meg minden normája és annak átlaga, kapuja, softmaxa, pozíció- és típusbeágyazása, vagy minden token logitja és valószínűsége.`,
  'unsupported-tap': ({ site, taps }) => `${site}: ezt a tenzort a futás nem őrzi meg. Egészben őrzi meg: ${taps}.`,
  'invalid-log-n': ({ n }) => `A log-n n értéke ${n}, pedig 1-nél nagyobb hossznak kell lennie.`,
  'clamped-distances-with-changed-pairs': () =>
    'A távolság nem korlátozható, amíg párok meg vannak állítva vagy ki vannak vágva. Válassza az egyiket.',
  'no-softmax': () =>
    'A log-n és a korlátozott távolság a softmax pontszámait módosítja, a lineáris figyelemben pedig nincs softmax. Futtassa ezek nélkül.',
  'setting-of-roformer': ({ setting, architecture }) =>
    `${setting}: ez a beállítás csak RoFormernél használható, ez a modell pedig ${architecture}. Futtassa enélkül.`,
  'positions-from-table': () =>
    'A modell egy táblázatból adja hozzá a pozíciókat a beágyazásokhoz, ezért nem tolhatók el. Futtassa a szöveget eltolás nélkül.',
  'trial-size-out-of-range': ({ longest, largest }) =>
    `Ez a méret nem mérhető. Legfeljebb ${integer(longest)} tokent és legfeljebb ${integer(largest)} értékű, páros fejméretet adjon meg.`,
  'trial-too-large': ({ length, head_size, needed, limit }) =>
    `A tárolt mátrixok mérete ${integer(length)} tokennél és ${integer(head_size)} fejméretnél ${megabytes(needed)}, de legfeljebb ${megabytes(limit)} mérhető. Adjon meg kevesebb tokent vagy kisebb fejméretet.`,
  'no-variants': () =>
    'Ez a modell nem fájlokból való, ezért nincs config.json, amelyből változat készülhetne. Töltse be a fájljaiból.',
  'weights-not-loaded': () =>
    'Ezekhez a beállításokhoz olyan súlyok kellenek, amelyek nincsenek betöltve. Töltse be a modellt ezekkel a beállításokkal.',
  'invalid-json': ({ text, defect }) => `${jsonTexts[text]} nem JSON: ${wordsOf(jsonDefects, defect)}.`,
  'no-room-for-tokens': ({ max_length, prompt }) =>
    `A legfeljebb ${integer(max_length)} tokenes szövegben nem marad hely a kezdő ${integer(prompt)} token után. Engedjen hosszabbat.`,
  'text-ended': () => 'A szöveg véget ért. A vége után nem írható semmi.',
  'no-mask': ({ mask_token }) =>
    `A szövegben nincs ${mask_token}. Írjon ${mask_token} jelet oda, ahol szót kell megjósolni.`,
  'no-vocabulary-head': ({ architecture }) =>
    `${architecture}: nincs a szókészletre szóló kimeneti feje, ezért nem jósol tokeneket. Válasszon maszkolt vagy kauzális nyelvi modellt.`,
  'invalid-sampling-setting': ({ key, found, expected }) =>
    `${key} értéke ${wordsOf(findings, found)}; ez lehet: ${wordsOf(expectations, expected)}.`,
  'no-candidates': () => 'Nem marad következő token: a szöveg szabályai mindet tiltják. Engedjen meg néhányat.',
  'logits-not-finite': () => 'Nem húzható következő token, mert a logitok nem véges számok. Épek a súlyok?',
  cancelled: () => 'A betöltés megszakítva.',
  stale: () => 'A motor már nem őrzi ezt az eredményt. Futtassa le újra a szöveget.',
  busy: () => 'A motor dolgozik. Várja meg, amíg végez, és próbálja újra.',

  'no-model': () => 'Még nincs betöltött modell.',
  'nothing-to-continue': () => 'Nincs folytatható futás. Előbb futtassa a szöveget.',
  'no-heads': () => 'Ez a futás nem őrizte meg a fejeket. Futtassa újra a szöveget.',
  'no-contact-head': () =>
    'A modell fájljában nincs érintkezési fej, amely a figyelemből megjósolja az érintkezéseket. Válasszon olyan ESM-2 modellt, amelyben van.',
  'rotation-before-feature-map': () =>
    'Ez a figyelem a jellemzőleképezés előtt forgat, ami nem vonható vissza. Válassza a lineáris figyelmet.',
  'rotation-of-changed-pairs': () =>
    'Ebben a futásban párok voltak megállítva vagy kivágva, ezért a forgatás nem vonható vissza. Futtassa a szöveget e módosítás nélkül.',
  'no-norm-of-rotated-values': () =>
    'Amíg az értékek forognak, egy értéknek a kimeneti vetítés utáni normája nem értelmezhető. Futtassa a szöveget az értékek forgatása nélkül.',
  'comparison-too-large': ({ needed, limit }) =>
    `A futás összes térképe és logitja ${megabytes(needed)}, de legfeljebb ${megabytes(limit)} vethető össze. Rövidítse a szöveget.`,
  'different-shapes': ({ name, before, now }) =>
    `${name}: az alakja az egyik futásban [${before.join(', ')}], a másikban [${now.join(', ')}]. Azonos méretű futásokat vessen össze.`,
  'layers-out-of-range': ({ part, first, last, layers }) =>
    `Nincsenek ilyen rétegek: ${parts[part]}, ${first}–${last}. Itt ${layers} réteg van, a számozás 0-tól indul.`,
  'mean-of-no-head': () => 'Az átlagtérképhez legalább egy fej kell. Válasszon egyet.',
  'mean-of-several-parts': () =>
    'Egy átlagtérkép a modell egyetlen részének fejeiből készül. Válassza ki részenként külön.',
  'rollout-of-cross-attention': () =>
    'A kiterítés a szöveg önmagára irányuló figyelmét követi, nem a keresztfigyelmet. Válassza a kódolót vagy a dekódolót.',
  'norms-of-several-texts': ({ batch }) =>
    `A normák egyetlen szövegé, nem ${integer(batch)} szövegé. Egy szöveget futtasson.`,
  'no-picture': () => 'Futás előtt nincs kép. Előbb futtassa a szöveget.',
  'no-gpu-painter': () => 'A CPU-n nincs GPU-s rajzoló. Válassza a CPU rajzolóját.',
  'unknown-name': ({ enumeration, names }) => `${enumeration}: nincs ilyen név. Ezek közül választhat: ${names}.`,
  'rollout-too-long': ({ longest, batch, length }) =>
    `Kiterítés csak egyetlen, legfeljebb ${integer(longest)} tokenes szövegből készül (most ${integer(batch)} szöveg, egyenként ${integer(length)} token). Rövidítse a szöveget.`,

  'site-of-many-numbers': ({ site, axes }) => `${site}: több szám. Tengelyenként egy index kell: [${axes}].`,
  'site-index-out-of-range': ({ site, axis, size }) => `Nincs ${site}. Indexe (${axis}) legyen ${integer(size)} alatt.`,
  'not-explained': ({ site }) => `${site}: nincs magyarázata. Válasszon másik tenzort.`,
  'explains-one-text': ({ texts }) => `Magyarázat egyetlen szöveghez készül, nem ${integer(texts)} szöveghez.`,
  'explanation-too-large': () => 'Ilyen mélységű magyarázatban túl sok a szám. Kérjen kisebb mélységet.',
  'explains-no-interventions': () =>
    'A számoknak csak akkor van magyarázata, ha minden módosítás számot ír be vagy neuront kapcsol ki, a logitoknak pedig csak akkor vannak tagjai, ha egyik sem változtatja a reziduális folyamot. Vonja vissza a többit.',

  'no-adapter': ({ reason }) => `Nincs WebGPU-adapter: ${reason}. Telepítsen meghajtót, vagy válassza a CPU-t.`,
  'software-adapter': ({ adapter }) => `${adapter}: szoftveres adapter, amely lassabb a CPU-nál. Válassza a CPU-t.`,
  'no-f16': ({ device }) =>
    `${device}: nincsenek 16 bites lebegőpontos számok (shader-f16) a kulcsokhoz és értékekhez. Hagyja a gyorsítótárat f32-nek.`,
  'device-refused': ({ reason }) => `A GPU nem adott eszközt: ${reason}. Válassza a CPU-t, vagy próbálja újra.`,
  'self-check-failed': ({ adapter, what }) =>
    `${adapter}: az eredmények eltérnek a CPU-étól (${checks[what]}). Válassza a CPU-t, és kérjük, jelentse a hibát.`,
  'device-lost': ({ reason }) =>
    reason === undefined ? 'A GPU a modell betöltése közben elveszett.' : withStop(`A GPU elveszett: ${reason}`),
  'out-of-memory': ({ what, needed, limit }) =>
    `${allocations[what]}: ${bytes(needed)} kell, de legfeljebb ${integer(limit)} van. Rövidítse a szöveget, vagy válassza a CPU-t.`,
  'device-out-of-memory': ({ what, needed }) =>
    `A GPU memóriájában nincs hely: ${allocations[what]} (${bytes(needed)}). Válassza a CPU-t, rövidebb szöveget vagy kisebb modellt.`,
  'memory-refused': ({ what, needed }) =>
    `${allocations[what]}: ${bytes(needed)} memória kellene, de ez a gép nem ad ennyit. Rövidítse a szöveget, vagy válasszon kisebb modellt.`,
  'too-many-maps': ({ needed, limit }) =>
    `Ebben a szövegben egy fej térképe ${megabytes(needed)}, több mint a visszaolvasható ${megabytes(limit)}. Rövidítse a szöveget.`,
  'file-too-large': ({ needed, limit }) =>
    `A szöveg összes köztes értéke ${megabytes(needed)}, több mint az itt készíthető fájl ${megabytes(limit)} korlátja. Rövidítse a szöveget, vagy írassa ki a parancssorral.`,
  'sites-too-large': ({ needed, limit }) => `${megabytes(needed)} több mint ${megabytes(limit)}. Rövidítse a szöveget.`,
  'row-too-large': ({ name, bytes: needed, limit }) =>
    `${name}: egy sora ${bytes(needed)}, ez a GPU egyszerre ${integer(limit)} bájtot kezel. Válassza a CPU-t.`,
  'canvas-refused': () => 'A GPU nem tud erre a vászonra rajzolni. Töltse be újra az oldalt, vagy válassza a CPU-t.',
  gpu: ({ reason }) => `A GPU hibát jelzett: ${reason}. Válassza a CPU-t, és kérjük, jelentse a hibát.`,
  internal: ({ reason }) => `Hiba a motorban: ${reason}. Kérjük, jelentse.`,
  'shape-mismatch': ({ op, message }) => `Hiba a motorban: ${op}: ${message}. Kérjük, jelentse.`,
} satisfies Failures
