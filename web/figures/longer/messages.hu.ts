import { searched } from '../../i18n/facts'
import { decimal, integer, signedDecimal } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: 'A modell vesztesége egy könyvön, amelyet nem olvasott: ugyanazok a maszkolt tokenek a tanítási hosszal egyező és annál hosszabb szövegekben. Alatta egy fej figyelmi térképe mindegyikben.',
  source: `Mindegyik úgy, ahogy a transformers kódjában áll, további tanítás nélkül; a YaRN cikke fordulatok, kódja a pár sorszáma szerint kever. A LongRoPE tényezőit (${decimal(searched.least, 2)} és ${decimal(searched.most, 2)} között) a training/search_factors.py kereste ehhez a modellhez, a négyszeres hosszra, olyan könyveken, amelyeken tanult; a cikkénél kevesebb, ${integer(searched.tries)} próbával. A nem olvasott könyvön a LongRoPE puszta nagysága mellett maradó veszteséget ezen a hosszon ${decimal(searched.gains[4].mean, 3)} ± ${decimal(searched.gains[4].error, 3)} értékkel csökkentik (a sorok átlaga és standard hibája); a kétszeresen nincs a hibáján túli különbség (${signedDecimal(searched.gains[2].mean, 3)} ± ${decimal(searched.gains[2].error, 3)}). A Phi-3 tényezői nem illenek a fejeihez. A részleges és az arányos minden hosszon csak a párok leggyorsabb negyedét forgatja: az ilyen modelleket így tanították, ezt nem. A távolságkorlát a hossz negyede (ReRoPE, github.com/bojone/rerope), a log-n Su szerint, kexue.fm/archives/8823. A held-out-long.json sorait minden hosszúságú szövegekre felvágjuk. A térkép minden pontja az alatta lévő legnagyobb súly. A training/measure_lengths.py ugyanezt PyTorch-csal méri.`,
  ways: {
    plain: 'ahogy van',
    interpolation: 'interpolálás',
    dynamic: 'NTK (dinamikus)',
    yarn: 'YaRN, cikk',
    yarnCode: 'YaRN, kód',
    llama: 'Llama 3.1',
    longrope: 'LongRoPE',
    partial: 'részleges',
    proportional: 'arányos',
    clamp: 'távolságkorlát',
    logn: 'log-n',
    both: 'távolságkorlát és log-n',
  },
  waysLabel: 'Mért módszerek',
  across: 'a szövegek hossza',
  up: 'veszteség (nat)',
  times: (times, tokens) => `${integer(times)} × (${integer(tokens)})`,
  nothing: 'Még nincs megmérve.',
  start: 'Hosszabb szövegek mérése',
  resume: 'Tovább',
  stop: 'Állj',
  duration: 'GPU nélkül percekig tart. Az első szöveg után megjelenik a hátralévő idő. Bármikor leállítható.',
  progressLabel: 'Elolvasott szövegek',
  progress: (done, all) => `${integer(all)} mérésből ${integer(done)} kész`,
  left: (seconds) =>
    `még körülbelül ${seconds < 100 ? `${integer(Math.ceil(seconds))} mp` : `${integer(Math.ceil(seconds / 60))} perc`}`,
  notStarted: 'A tanítási hossznál hosszabb szövegek csak akkor futnak, ha Ön elindítja.',
  tokens: (tokens, book) => `${integer(tokens)} maszkolt token a modell által nem olvasott „${book}” könyvből.`,
  maps: (head) => `az ${head} fej térképei, és a lekérdezések legerősebb kulcsának átlagos súlya:`,
  map: (tokens, strongest) => `${integer(tokens)} token: ${decimal(strongest, 2)}`,
  notServed:
    'Elég hosszú, a tanításból kihagyott szöveg csak az oldal saját modelljéhez, a roformer-english modellhez tartozik.',
  table: 'veszteség a hossz szerint',
  columns: ['módszer', 'token', 'veszteség', 'maszkolt token'],
} satisfies Messages
