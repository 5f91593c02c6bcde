import { integer, the } from '../../i18n/numbers'
import { key, query, sentence } from '../../i18n/rich'
import type { Messages } from './messages.en'
import { hasNoHover } from '../../ui/pointer'

const tokens = (count: number) => `${integer(count)} token`

export default {
  explorer: 'Felfedező',
  more: 'Minden nézet',
  views: 'Nézetek',
  panes: 'Egymás melletti nézetek',
  pane: (count) => `${integer(count)} nézet`,
  headsTab: 'Fejek',
  otherViews: 'További nézetek',
  pending: 'Készül az újabb eredmény.',

  strip: {
    name: 'A szöveg útja a modellben',
    allHeads: 'Minden fej együtt',
    stations: {
      text: 'szöveg',
      tokens: 'token',
      qk: 'q·k',
      rotate: 'forgatás',
      score: 'pontszám',
      weight: 'súly',
      value: 'érték',
      feedForward: 'FFN',
      layers: 'réteg',
      guess: 'jóslat',
    },
    hints: {
      text: 'A szöveg, átírható',
      tokens: 'A tokenjei: itt választható a lekérdezés és a kulcs',
      qk: 'Lekérdezések és kulcsok szorzata forgatás előtt',
      rotate: 'A lekérdezések és kulcsok a pozíciójuk szerint fordulnak',
      score: 'Amit egy lekérdezés és egy kulcs együtt kap',
      weight: 'A softmax egy sor pontszámaiból súlyokat készít',
      value: 'Amit egy-egy kulcs az értékével hozzáad',
      feedForward: 'Az előrecsatolt háló minden tokenen külön dolgozik',
      layers: 'Amit a rétegek készítenek belőle',
      guess: 'A tokenek, amelyeket a modell megjósol',
    },
  },
  intro: {
    name: 'Mi ez',
    rotates: sentence`A RoPE egy szó ${query('lekérdezését')} (mit keres) és ${key('kulcsát')} (miről található meg) a pozíciójával forgatja: a távolság számít. Itt egy valódi modellben.`,
    adds: sentence`Ez a modell a pozíciókat a tokenek beágyazásaihoz adja, nem forgatja a ${query('lekérdezéseket')} és a ${key('kulcsokat')}. Itt egy valódi modell olvas egy szöveget: melyik szó melyikre néz.`,
    own: 'Saját mondatom',
    write: 'Megírom',
    writeHint: 'A szöveg ki van jelölve: írjon a helyére.',
    orExample: 'Vagy egy példa:',
  },
  walk: {
    play: 'Nézze, hogyan forog',
    help: (head) =>
      `A kulcsot végigviszi a szövegen: az ${head} fejben a párok forognak, és a pontszám velük változik.`,
    search: 'Nézze, hogyan keres',
    searchHelp: (head) =>
      `A lekérdezés sorra találkozik a tokenek kulcsaival: az ${head} fejben mindegyik más pontszámot ad. Új futás nélkül kulcs nem mozdítható.`,
    on: '▶ Tovább',
    pause: '❚❚ Szünet',
    back: 'Egy tokennel vissza',
    forth: 'Egy tokennel tovább',
    stop: 'Vége',
    step: (step, of) => `${integer(step)}. lépés, összesen ${integer(of)}`,
    cannot: 'Itt a kulcs nem mozdítható: válasszon másik lekérdezést vagy hosszabb szöveget.',
    searchCannot: 'Innen nem indul keresés: válasszon másik lekérdezést vagy kulcsot, vagy hosszabb szöveget.',
  },
  or: ' vagy ',

  text: 'Szöveg',
  textHint: {
    mask: (mask) => `írjon ${mask} jelet oda, ahol a modell szót jósoljon`,
    writes: 'a modell a szöveg végétől folytatja',
    reads: 'a modell ezt olvassa',
  },
  shortened: (count) => `A modell legfeljebb ${tokens(count)} hosszan olvas; a többi megmarad, de nem fut.`,
  unknownWords: (words, count, model) =>
    `A ${model} ${integer(count)} szót nem ismer, mindet ugyanannak a tokennek olvassa: ${words.join(', ')}${count > words.length ? ', …' : ''}`,
  goBeyond: 'Olvasás azon a hosszon túl is',
  beyondMeans: 'A modellt erre nem tanították: a jóslatai romolhatnak.',
  notLinked: 'Ez a szöveg túl hosszú egy hivatkozásba, ezért kimarad belőle.',
  nothingHidden: (mask) => `Nem tudni, milyen szó van e ${mask} alatt: válasszon a jóslatokból, vagy írjon be egyet.`,
  next: 'következő token',
  putIn: (token, share) => `${token}, ${share}: beírás`,

  tokens: (canMask) => `Tokenek. A nyilak léptetnek; q: lekérdezés, k: kulcs${canMask ? ', m: maszkolás' : ''}.`,
  tokenTitle: (position, id) => `${position}. pozíció, azonosító: ${id}`,
  tokenName: (token, position, { query, key }) =>
    [token, `${position}. pozíció`, ...(query ? ['lekérdezés'] : []), ...(key ? ['kulcs'] : [])].join(', '),
  get clickTo(): string {
    return hasNoHover() ? 'Koppintásra' : 'Kattintásra'
  },
  click: { query: 'lekérdezés', key: 'kulcs', mask: 'maszk' },
  clickHint: {
    query: 'a token, amely a többire néz; a tokenen a q is ezt teszi',
    key: 'a token, amelyre a lekérdezés néz; a tokenen a k is ezt teszi',
    mask: 'eltakarja vagy visszaadja a szót; a tokenen az m is ezt teszi',
  },
  looks: (from, to, weight) =>
    sentence`${query(from)} → ${key(to)}: súlya ${weight}. Az árnyalat: mennyit ad az egyes tokeneknek.`,
  looking: (from, to, head, weight) => sentence`${query(from)} → ${key(to)} · ${head} fej · ${weight}`,
  toText: 'Vissza a szöveghez',
  positions: (from, to, length) => `${integer(from)}–${integer(to)}. pozíció, összesen ${integer(length)}`,
  ruler: (length) => `Mind ${the(length)} ${tokens(length)}: a nyilak az ablakot mozgatják`,

  pair: {
    part: 'Fejek',
    parts: { encoder: 'kódoló', decoder: 'dekódoló', cross: 'kereszt' },
    partHints: {
      encoder: 'A forrás önmagára figyel.',
      decoder: 'A szöveg arra figyel, ami előtte áll.',
      cross: 'A szöveg a forrásra figyel: amit a modell minden következő token írásakor olvas belőle.',
    },
    source: 'Forrás',
    sourceHint: 'Amit a modell olvas',
    target: 'Az utána álló szöveg',
    targetHint: 'Amit a modell ír, vagy Ön',
    beams: 'Nyaláb',
    beamsOwn: (count) => `${integer(count)}, a modell szerint`,
    oneBeam: '1: minden token mintavétellel',
    write: 'Írás',
  },
  verdict: {
    label: 'A modell ítélete',
    sequence: 'A szöveg egésze',
    tokens: 'Tokenenként',
    answer: 'A válasz',
    span: (start, end) => `kezdete: ${start}, vége: ${end}`,
  },
  writing: {
    continue: 'Folytatás',
    anew: 'Írás elölről',
    anewHint: 'elveszi, amit a modell írt, és újra ír; a Visszavonás visszaadja',
    prose: 'A szöveg folyó szövegként; amit a modell írt, színezett',
    stop: 'Állj',
    takeBack: 'Visszavétel',
    takeBackShort: 'vissza',
    lastToken: 'utolsó token',
    lastContinuation: 'utolsó folytatás',
    speed: (speed) => `${speed} token/s`,
    ended: {
      end: (count) => `a modell ${tokens(count)} után befejezte a szöveget`,
      length: (count) => `megállt a határnál: ${tokens(count)}`,
      stop: (count) => `Ön állította le ${tokens(count)} után`,
    },
    sampling: 'mintavétel',
    likeliest: 'mindig a legvalószínűbb token',
    setting: {
      temperature: 'hőmérséklet',
      topK: 'top-k',
      topP: 'top-p',
      minP: 'min-p',
      repetitionPenalty: 'ismétlési büntetés',
      maxNewTokens: 'legfeljebb új token',
      seed: 'véletlenmag',
    },
    zeroTemperature: '0, a legvalószínűbb',
    allTokens: 'mind',
    tokens,
    anotherSeed: 'másik',
    order:
      'Sorrendben: a büntetés csökkenti a szövegben már szereplő tokenek esélyét, a hőmérséklet kiegyenlít vagy élesít, aztán csak a k legvalószínűbb marad, ezekből azok, amelyek valószínűsége összesen p, és ezekből azok, amelyeké legalább a legjobb min-p-szerese. Ugyanaz a szöveg, beállítás és véletlenmag ugyanazt a folytatást adja. A csevegőmodellek szövege is úgy folytatódik, ahogy itt áll, csevegősablon nélkül.',
  },
  headPatterns: {
    title: 'Fejek mintázatai',
    measure: 'átlagos súly ezen a szövegen',
    patterns: {
      previous: { name: 'Előző token', plain: 'eggyel vissza', means: 'a megelőző token súlya' },
      next: { name: 'Következő token', plain: 'eggyel előre', means: 'a következő token súlya' },
      first: { name: 'Figyelemnyelő', plain: 'első token', means: 'a szöveg első tokenjének súlya' },
      induction: {
        name: 'Indukció',
        plain: 'korábban követte',
        means: 'az ugyanilyen korábbi tokent követő token súlya',
      },
      repeated: { name: 'Ismétlődés', plain: 'ugyanaz a szó', means: 'a többi ugyanilyen token súlya' },
      same: { name: 'Önmaga', plain: 'saját maga', means: 'a token saját magára eső súlya' },
      special: {
        name: 'Speciális',
        plain: 'például [CLS]',
        means: 'a speciális tokenek, például a [CLS] súlya',
      },
    },
    head: 'fej',
    weight: 'súly',
    tokens,
    hint: ({ means }, queries) => `A legerősebb fej: ${means}, ${integer(queries)} token átlaga`,
    bookHint: ({ means }, book) => `A legerősebb fej: ${means}, a könyv (${book}) összes tokenjének átlaga`,
    overBook: (book) => `a könyv (${book}) összes tokenjének átlaga`,
  },
  examples: {
    oneBack: {
      name: 'Egy tokennel vissza',
      look: 'Egy kitalálandó szó, és egy mondat, amelynek a térképén minden sor elolvasható.',
    },
    near: {
      name: 'Deep Learning',
      look: 'A „deep” közvetlenül a „learning” előtt áll: mekkora súlyt ad neki egy fej? Aztán jöjjön a következő példa.',
    },
    far: {
      name: 'Deep ocean',
      look: 'Ugyanaz a két szó, tizenkét token távolságra: más forgatás, más pontszám.',
    },
    repeated: {
      name: 'Ismétlődő szókapcsolat',
      look: 'Az eltakart szó kétszer állt már ugyanott: visszanéz-e rájuk egy fej?',
    },
    paragraph: {
      name: 'Hosszú bekezdés',
      look: 'Körülbelül 200 token: melyik térkép marad az átló mellett, és melyik terül szét a szövegen?',
    },
    story: {
      name: 'Egy történet eleje',
      look: 'A szöveg félbeszakad: a modell folytatja, a térképek pedig új sorokat kapnak.',
    },
    phraseAgain: {
      name: 'Újrakezdett szókapcsolat',
      look: 'Ugyanazok a szavak másodszor: odanéz-e egy fej arra, ami korábban követte őket?',
    },
    yearHu: {
      name: '1984 magyarul',
      look: 'A szám minden szavát az előtte álló sor jósolja: melyik számjegyre néz az a sor?',
    },
    yearKo: { name: '1984 koreaiul', look: 'Ugyanazok a számjegyek, a helyiértékek más szavaival.' },
    dateEn: {
      name: 'Egy dátum angolul',
      look: 'A hónap középen áll, mégis elsőként íródik le: a fejek nem balról jobbra haladnak.',
    },
    numberHu: {
      name: 'Hosszú szám, még nincs kiírva',
      look: 'A forrás után semmi sem áll: a modell ír; figyelje meg az új sorokat.',
    },
    protein: {
      name: 'Mioglobin',
      look: 'Egy fehérje, aminosavanként egy token: összeköti-e egy késői réteg feje, ami a térben érintkezik?',
    },
    park: {
      name: 'Szép nap, kínaiul',
      look: 'Írásjegyenként egy token, kettő eltakarva: melyik szomszédot nézi melyik fej?',
    },
  },
  story: {
    lessonHint: 'Egy teljes transzformer kilenc lépésben, ezen a szövegen',
    stories: 'Történetek',
    label: (name) => `Történet: ${name}`,
    place: (caption, all) => `${integer(caption)} / ${integer(all)}`,
    back: 'Vissza',
    next: 'Tovább',
    close: 'Bezárás',
    end: 'Vissza oda, ahol voltam',
    keys: 'A nyilak és az Enter továbbvisznek, az Esc visszavisz oda, ahol volt.',
    measuring: 'Mérés…',
    loading: (model) => `Modell betöltése: ${model}…`,
    get elsewhere(): string {
      return hasNoHover()
        ? 'Mást választott. A „Tovább” gombbal folytatódik a történet, a ✕ visszavisz.'
        : 'Mást választott. A nyilakkal folytatódik a történet, az Esc visszavisz.'
    },
  },
} satisfies Messages
