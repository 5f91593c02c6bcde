import { code, english, englishLink, key, link, linkToEnglish, query, sentence } from '../../i18n/rich'
import type { Messages, Sections } from './messages.en'

const sections: Sections = {
  what: {
    title: 'Mi ez',
    paragraphs: [
      sentence`A ropescope valódi, forgatásos pozícióbeágyazást (RoPE) használó transzformereket futtat a böngészőben – a RoFormert, ahol a RoPE kezdődött, és utódait: Llama, Mistral, Qwen2, Qwen3, Gemma 3, GPT-NeoX, ModernBERT és ESM-2, mellettük olyan kódoló–dekódolókat is, amelyek hozzáadják a pozíciókat (Marian, BART, Pegasus) –, és megmutatja, mi történik bennük: melyik fej mire figyel, miért, és ebből mennyi a forgatás. A motor Rustban íródott, WebAssemblyre fordítva; ha van GPU, WebGPU-n, különben a CPU-n számol. Mindkettő ugyanazokat a számokat adja.`,
      sentence`A rétegek, fejek, pozíciók és frekvenciapárok számozása 0‑val kezdődik; a ${code('[CLS]')} pozíciója 0. ${query('A lekérdezés kék')}, ${key('a kulcs narancssárga')}, mindenütt.`,
    ],
  },
  privacy: {
    title: 'Adatvédelem',
    paragraphs: [
      sentence`Az oldal mögött nincs kiszolgáló: az oldal fájlok együttese. A szövegét és a modelljét ezen a gépen olvassa és számolja, és sehová sem küldi. Más oldaltól semmit sem kér, hacsak Ön nem tölt le modellt a hubról: ekkor a huggingface.co és letöltőkiszolgálói megtudják, melyik modellt tölti le, és a hálózati címét, de azt nem, hogy mire használja. Az oldal saját biztonsági szabályzata minden más oldallal tiltja a kapcsolatot; fiókot, tokent, sütit sosem küld. Amit választ – modell, szöveg, fej, tokenek, a modell módosításai –, a cím ${code('#')} utáni részébe kerül, amelyet a böngészők sosem küldenek el, így egy hivatkozás visszaállítja. Aki megkapja a hivatkozást, elolvashatja a benne lévő szöveget.`,
      sentence`Ez a böngésző megjegyzi a választott témát, nyelvet és háttérrendszert, és azt, mely grafikus adapterek számolnak helyesen. Az oldal és a használt, vele érkező modellek hálózat nélküli használatra tárolódnak; a motor menüje megmutatja, mekkora helyen, és törölni is tudja őket. A hubról letöltött modellek is megmaradnak, amíg a Modellek alatt nem törli őket; az oldal egyszer megkéri a böngészőt, hogy ne dobja ki őket magától. Más nem tárolódik: szöveg sem, és saját fájlokból való modell sem.`,
    ],
  },
  source: {
    title: 'Forráskód és parancssor',
    paragraphs: [
      sentence`Ugyanez a motor közvetlenül is fut, Vulkanon, Metalon, DirectX 12-n vagy a CPU-n: a forráskód mappájában a ${code('cargo install --path . --locked')} parancs telepíti a ${code('ropescope')} programot. Minden nézet megadja a számait kiszámoló parancsot a ${code('egyéb')} alatt; a ${code('ropescope run')} a modell bármely köztes értékét kiírja safetensors fájlba, a Hugging Face elnevezéseivel.`,
    ],
  },
  embed: {
    title: 'Saját oldalon',
    paragraphs: [
      sentence`A Felfedezőben minden nézet címe mellett ott a ${code('Beágyazás')}: kódot ad, amellyel az éppen nézett fej egy másik oldalra kerülhet, ${code('<rope-attention>')} elemként vagy néhány sor JavaScripttel, a méretekkel és a korlátokkal együtt. Mindkettő ugyanannak a csomagnak a része, amelynek fájljai ennek az oldalnak az ${code('embed')} mappájában vannak. A csomag a látogató böngészőjében vagy Node-ban futtatja a modellt, és más kód nem kell hozzá.`,
    ],
  },
  sources: {
    title: 'Források',
    list: [
      sentence`Jianlin Su, Yu Lu, Shengfeng Pan, Ahmed Murtadha, Bo Wen, Yunfeng Liu: ${englishLink('RoFormer: Enhanced Transformer with Rotary Position Embedding', 'https://arxiv.org/abs/2104.09864')}, 2021. Az egyenletek számozása az ottani.`,
      sentence`Jianlin Su ${link('cikke a forgatásos pozícióbeágyazásról', 'https://kexue.fm/archives/8265')} (kínaiul), a tanulmány 2. ábrájának kódjával.`,
      sentence`A Hugging Face ${link('transformers modelljei', 'https://github.com/huggingface/transformers/tree/main/src/transformers/models')}: az oldal motorját az ő számaikhoz mérjük, és a modellek részeit az ő szavaikkal nevezzük meg.`,
      sentence`Federico Barbero és mások: ${englishLink('Round and Round We Go! What makes Rotary Positional Encodings useful?', 'https://arxiv.org/abs/2410.06205')}, 2024: a gyors párok pozíciófejeket építenek, a lassúak, sejtésük szerint, jelentést hordoznak.`,
      sentence`Pengcheng He és mások: ${link('DeBERTa', 'https://arxiv.org/abs/2006.03654')}, 2020: a „deep” és a „learning” közeli és távoli kapcsolatára tett megfigyelésükből való két példa.`,
    ],
  },
  cite: {
    title: 'Hivatkozás',
    paragraphs: [
      sentence`Ha a ropescope segítette a munkáját, hivatkozzon rá a verziójával együtt; a módszerért a fenti RoFormer-cikkre. Ugyanezt mondja a forráskód ${code('CITATION.cff')} fájlja.`,
    ],
  },
  licence: {
    title: 'Licenc',
    paragraphs: [
      sentence`A ropescope szabad szoftver, az MIT vagy az Apache 2.0 licenc alatt, tetszés szerint. A képletek a STIX Two Math egy részével készülnek, a SIL Open Font License alatt. Az oldallal érkező modelleket szabadon felhasználható, már nem jogvédett könyveken tanították; a részleteket a models mappában lévő leírásaik adják meg.`,
    ],
  },
}

export default {
  title: 'Névjegy',
  sections,
  cited: ({ authors, title, version }) =>
    sentence`${english(`${authors}: ${title}`)}. ${version} verzió. Számítógépes szoftver.`,
  archive: (file) =>
    sentence`Az oldal forráskódja: ${link(file, file)}, a mellette lévő modellek és a tesztek referenciaértékei nélkül.`,
  docs: (href) =>
    sentence`Az angol nyelvű ${linkToEnglish('dokumentáció', href)} leírja az oldal, a parancssor és a csomag használatát, a hivatkozásban tárolt értékek jelentését, és azt, hogyan működik mindez.`,
  repository: (href) => sentence`A forráskód: ${link(href.replace(/^https:\/\//, ''), href)}.`,
} satisfies Messages
