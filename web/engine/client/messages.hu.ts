import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

const elsewhere = 'A CPU-n minden működik; a nagyobb modellek lassabbak.'

export default {
  reasons: {
    'hardware-adapter': { why: 'hardveres adapter', advice: '' },
    choice: { why: 'az Ön választása', advice: '' },
    'insecure-context': {
      why: 'ez a cím nem biztonságos, ezért nincs WebGPU',
      advice: `A böngészők csak https-en és localhoston adnak WebGPU-t. ${elsewhere}`,
    },
    'no-webgpu': {
      why: 'ebben a böngészőben nincs WebGPU',
      advice: `A Chrome, az Edge, a Firefox és a Safari friss változataiban a legtöbb rendszeren van. ${elsewhere}`,
    },
    'no-adapter': {
      why: 'nincs WebGPU-adapter',
      advice: `A böngésző ismeri a WebGPU-t, de nem talált grafikus adaptert: hiányzik vagy le van tiltva egy illesztőprogram, vagy a böngésző beállításaiban ki van kapcsolva a hardveres gyorsítás. ${elsewhere}`,
    },
    'fallback-adapter': {
      why: 'csak szoftveres WebGPU-adapter van',
      advice:
        'A szoftveres adapter is a CPU-n számol, sokkal lassabban, mint az oldal saját CPU-háttérrendszere. Ha mégis ezen futtatná, válassza a GPU-t.',
    },
    'device-refused': {
      why: 'a GPU elutasította',
      advice:
        'A böngésző talált adaptert, de nem kapott eszközt: lehet, hogy a GPU memóriája betelt vagy kevés. Zárja be a GPU-t használó többi oldalt, majd indítsa újra a motort.',
    },
    'wrong-numbers': {
      why: 'a GPU hibás számokat ad',
      advice:
        'Egy kis ismert modell ezen az adapteren más számokat adott, mint a CPU-n, ezért az oldal nem használja. Frissítse a grafikus illesztőprogramot vagy a böngészőt.',
    },
    'device-lost': {
      why: 'a GPU kétszer elveszett',
      advice: 'Az illesztőprogram egymás után kétszer vette el a GPU-t. Az újabb próbához indítsa újra a motort.',
    },
  },
  software: 'Ez az adapter szoftveres: a CPU-n számol, sokkal lassabban, mint az oldal saját CPU-háttérrendszere.',
  browserSaid: (detail) => `A böngésző üzenete: „${detail}”.`,
  threads: (count) => `Szorzatok és figyelem ${integer(count)} szálon`,
  notIsolated: '1 szál: az oldal nincs elszigetelve',
  refused: '1 szál: a böngésző nem szigeteli el az oldalt',
  troubles: {
    load: {
      cancelled: 'Nincs betöltve',
      failed: 'Ezt a modellt nem sikerült betölteni',
      stays: (model) => `A betöltött modell továbbra is: ${model}.`,
    },
    run: 'Ezt a szöveget nem sikerült lefuttatni',
    changedRun: 'A modellt ezzel a módosítással nem sikerült lefuttatni',
    gone: {
      title: 'Ezt a szöveget újra le kell futtatni',
      result: 'A motor már nem őrzi az eredményét: a még ki nem olvasott fejek és statisztikák hiányoznak.',
      model: 'A motor már nem őrzi ezt a modellt. Töltse be újra.',
    },
    writing: 'Ezt a szöveget nem sikerült folytatni',
    engine: {
      notStarted: 'A motor nem indult el',
      notPainted: 'A motor nem tudott rajzolni',
      noWebAssembly: 'Ebben a böngészőben nincs WebAssembly, amelyre a motornak szüksége van.',
    },
    page: {
      title: 'Hiba történt az oldalon',
      text: (error) =>
        `A böngésző üzenete: „${error}”. Ha az oldal egy része nem válaszol, töltse újra az oldalt: a hivatkozás megőrzi a szövegét és a választásait. A jelentés a kód helyét nevezi meg; az Ön szövege nincs benne.`,
    },
    silent: {
      title: 'A motor nem válaszol',
      text: (seconds) =>
        `Több mint ${integer(seconds)} másodperce nincs életjel. Lehet, hogy még dolgozik: ha válaszol, ez az értesítés eltűnik. Ha nem tűnik el, indítsa újra a motort (a modellt újra beolvassa, a szövege megmarad), vagy próbáljon rövidebb szöveget.`,
    },
    silentLoad: {
      title: 'A modell nem töltődik be',
      text: (seconds) =>
        `Több mint ${integer(seconds)} másodperce nem érkezett adat. Ha a betöltés folytatódik, ez az értesítés eltűnik. Ha nem tűnik el, ellenőrizze a hálózatot, vagy indítsa újra a motort (a modellt újra beolvassa, a szövege megmarad).`,
    },
    lost: {
      title: 'A GPU elveszett',
      text: 'Az oldal újat készít elő, és újra beolvassa a modellt; a szövege megmarad.',
    },
    crash: {
      restarting: {
        title: 'A motor összeomlott, és újraindult',
        text: (message) => `A modellt újra beolvassa; a szövege megmarad. A motor üzenete: „${message}”.`,
      },
      repeated: {
        title: 'A motor többször összeomlott',
        text: (message) =>
          `Magától nem indul újra. Változtasson a szövegen vagy a modellen, vagy indítsa újra a motort. Az üzenete: „${message}”.`,
      },
    },
  },
} satisfies Messages
