import { integer, list, percent } from '../../i18n/numbers'
import type { Messages } from './messages.en'

const byHand = (page: string) =>
  `Töltse le a fájljait onnan (${page}) a saját fiókjával, és nyissa meg a mappájukat itt, a Modellek oldalon.`

export default {
  failures: {
    strangeAnswer: 'Váratlan válasz a huggingface.co-tól. Próbálja újra később.',
    unreachable: (why) =>
      `A huggingface.co vagy valamelyik letöltőkiszolgálója nem érhető el (${why}). Ellenőrizze a kapcsolatot, és folytassa.`,
    noRevision: ({ owner, name, revision }) =>
      `${owner}/${name}: nincs „${revision}” revíziója. Adja meg egy ágát, címkéjét vagy commitját, vagy hagyja el.`,
    gated: (name, page) =>
      `${name}: korlátozott hozzáférésű, tulajdonosa csak a feltételeit elfogadó fiókoknak adja oda. Ez az oldal sosem kér fiókot vagy tokent. ${byHand(page)}`,
    missing: (name) => `Nincs ${name} modell a hubon, vagy nem nyilvános. Ellenőrizze a nevét.`,
    noFile: (file, name) => `${name}: már nincs ilyen fájlja: ${file}.`,
    busy: (wait) =>
      `A huggingface.co korlátozza a kérések számát. Folytassa ${wait === undefined ? 'néhány perc' : wait < 120 ? `${integer(wait)} másodperc` : `${integer(Math.ceil(wait / 60))} perc`} múlva.`,
    refused: (status) => `A huggingface.co válasza: ${status}. Folytassa később.`,
    cancellation: 'A letöltés leállt. Ami megérkezett, megmarad: onnan folytatható.',
    interruption: (file, bytes, size) =>
      `${file}: a kapcsolat újra meg újra megszakadt, utoljára ${percent(bytes / Math.max(1, size), 0)} után. Ami megérkezett, megmarad: onnan folytatható.`,
    otherLength: (file) => `${file}: hossza eltér a hub jegyzékétől, ezért nem tárolódik. Folytatáskor újra letölti.`,
    shorter: (file) => `${file}: rövidebb, mint a hub jegyzékében, ezért nem tárolódik. Folytatáskor újra letölti.`,
    otherDigest: (file) =>
      `${file}: nem egyezik a hub ellenőrzőösszegével, ezért nem tárolódik. Töltse le újra. Ha megismétlődik, a hub és a böngésző között valami megváltoztatja a fájlt: próbáljon másik hálózatot.`,
    noWeights: 'A hub jegyzékében nincs olyan nevű súlyfájl, amelyet ez az oldal ismer.',
    full: 'Nincs több hely az oldal számára ezen a lemezen. Ami megérkezett, megmarad: töröljön más modelleket vagy fájlokat, és folytassa.',
    notWritten: (why) => `A böngésző nem tudta eltárolni (${why}).`,
    gone: (file) =>
      `${file}: már nincs ezen a gépen, egy másik lap vagy a böngésző törölte. Töltse le újra a modellt a neve alapján.`,
    fetching: 'Egy másik lap éppen letölti ezt a modellt. Előbb ott állítsa le.',
  },
  misread: {
    form: 'Ez nem egy modell neve: tulajdonos/név alakban írja, mint HuggingFaceTB/SmolLM2-135M.',
    host: 'Címe alapján csak a huggingface.co modelljei tölthetők le. Máshonnan való fájlokat mappából nyisson meg.',
    kind: 'Ez nem egy modell címe, hanem egy adathalmazé, egy space-é vagy a hub más részéé.',
  },
  kind: (modelType, classes) => [modelType, ...classes].filter(Boolean).join(', ') || 'a config.json nem nevezi meg',
  notRead: (kind, read) =>
    `Ez az oldal nem futtatja: ${kind}. Amit futtat: ${list(read)}. Az osztályok listája az angol dokumentációban, a modellcsaládok oldalán van.`,
  noConfig: 'A config.json nem olvasható, ezért nem tudni, milyen modell ez.',
  from: (revision) => `huggingface.co, ${revision.slice(0, 10)} commit`,
} satisfies Messages
