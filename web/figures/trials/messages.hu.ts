import { decimal, integer, significant } from '../../i18n/numbers'
import type { Messages } from './messages.en'

const backends = { gpu: 'GPU (WebGPU)', cpu: 'CPU (WebAssembly)' }
const milliseconds = (value: number) => `${significant(value, 3)} ms`

export default {
  backends,
  kinds: {
    blocks: 'tárolt mátrixok',
    elementwise: 'koszinuszok és szinuszok',
    fused: 'a vetítésen belül',
    softmax: 'softmax',
    map: 'softmax és egy térkép',
    linear: 'lineáris',
  },
  measure: 'Mérés ezen a gépen',
  again: 'Mérés újra',
  stop: 'Állj',
  idle: 'Külön motorban fut, egyik háttérrendszeren a másik után.',
  now: (backend, kind, length, headSize) =>
    `${backend}: ${kind}, ${integer(length)} token, ${integer(headSize)} méretű fejek`,
  missing: (backend) => `${backend}: ez a böngésző nem ad ilyet, így nincs mit mérni.`,
  ended: (backend, kind, length, reason, seconds) =>
    `${backend}, ${kind}: ${integer(length)} token előtt véget ér${reason === undefined ? `, mert ${integer(seconds)} másodpercnél tovább tartana` : `: ${reason}`}.`,
  fitted: (label, exponent) => `${label} ∝ T^${significant(Math.round(exponent * 100) / 100, 3)}`,
  axis: 'T token, logaritmikus',
  milliseconds: 'ezredmásodperc, logaritmikus',
  memory: 'Memória',
  nothing: 'Még nincs megmérve.',
  table: 'a mérések',
  columns: ['háttérrendszer', 'mi', 'token', 'fejméret', 'ezredmásodperc'],
  rotations: {
    help: 'Ugyanaz a forgatás tárolt mátrixokkal, koszinuszokkal és szinuszokkal, és a vetítésen belül: ugyanazok a számok, más áron.',
    source: `RoFormer (Su és mások 2021, arXiv 2104.09864), 15. és 34. egyenlet. Négy ekkora fejet vetítünk és forgatunk; az idő a kettőé együtt, a bájtok azé, amivel a forgatás készül: mátrixokból T·d·d szám, majdnem mind 0, koszinuszokból és szinuszokból T·d. GPU-n azokat a mátrixokat, amelyek nem férnek egy kötésbe, részenként kötjük. Egy sokszor továbbadott írás szerint a tanítás a mátrixokkal 11 óra 40 percig tartott, a hatékony számítási móddal 4 óráig. Ez nem ellenőrzött összehasonlítás volt: szerzője maga írja, hogy közben a program más lassú részei is változtak, és sem a gépet, sem a köteget, sem a futások számát nem mondja meg. A számítási mód különbségét egymagában ez az ábra méri: függ a hossztól, a fejmérettől és a géptől, és egy egész modellben az idő nagyobb része másra megy el.`,
    size: 'fejméret',
    bytes: 'bájtok, amelyekből a forgatás készül',
    headline: (deviation, count) => ({
      title: deviation
        ? `A három mód ugyanazokat a számokat adja: legfeljebb ${significant(deviation, 1)} az eltérés.`
        : 'A három mód az utolsó számjegyig ugyanazokat a számokat adja.',
      line: `Egy vetítés és forgatás ${integer(count)} mérése.`,
    }),
  },
  lengths: {
    help: 'A softmax minden tokent minden tokennel összevet. A lineáris figyelem egyszer összegzi a kulcsokat és értékeket, és minden lekérdezés az összegeket olvassa.',
    source: `RoFormer (Su és mások 2021, arXiv 2104.09864), 19. egyenlet, Katharopoulos és mások 2020 (arXiv 2006.16236) nyomán. Négy darab 64 méretű fej a forgatásával, minden token mindet látja, vetítések és előrecsatolt háló nélkül. A kitevőket a legkisebb négyzetek módszerével illesztjük minden vonal hosszabb felére; rövid szövegeknél az idő nagyobb része járulékos. Térképet itt sosem tárolunk, ezért a softmax ideje négyzetes, memóriája a hosszal arányos; egy fej térképe T² szám, legfeljebb 4096 tokenig. Egy vonal véget ér, mielőtt egy lépés 5 másodpercnél tovább tartana. Azt nem méri, mit ér egy bármelyikkel tanított modell.`,
    bytes: 'lefoglalt bájtok',
    headline: ({ softmax, linear }) => {
      const [one, other] = [softmax.milliseconds, linear.milliseconds]
      return {
        title: `${integer(softmax.length)} token a softmaxnak ${milliseconds(one)}, a lineáris figyelemnek ${milliseconds(other)}.`,
        line: `${backends[softmax.backend]}: ${one > other ? `a softmax ideje ${decimal(one / other, 1)} × akkora` : `a lineáris figyelem ideje ${decimal(other / one, 1)} × akkora`}.`,
      }
    },
  },
} satisfies Messages
