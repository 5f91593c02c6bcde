import { headName, integer, percent, score, the } from '../../i18n/numbers'
import { key, query, sentence, token } from '../../i18n/rich'
import type { Messages } from './messages.en'

export default {
  help: 'A modell az Ön szövegén, lépésről lépésre. Válaszoljon a kérdésre: akkor mozdul a kép.',
  source:
    'Minden szám ezé a modellé ezen a szövegen. Az oldalsó torony az egész modell, alul a beágyazásokkal, felül az utolsó réteggel: minden tokenre megmutatja, milyen hosszú vektort ad hozzá a folyamához az egyes rétegek figyelme és előrecsatolt hálója. A rétegek utáni jóslat a logitlencse.',
  loading: 'A modell számainak olvasása…',
  steps: 'Lépés',
  back: 'Vissza',
  next: 'Tovább',
  again: 'Újra',
  show: 'Csak mutassa',
  byHand: 'A kép mozgatása',
  leave: 'Bővebben a Felfedezőben',
  moving: 'A kép mozog…',
  done: 'Most már kézzel is mozgathatja a képet.',
  right: 'Így van.',
  wrong: 'Nem ez az.',
  yes: 'Igen',
  no: 'Nem',
  names: (rotates) => [
    'Tokenek',
    'Vektorok',
    'Vetítések',
    rotates ? 'Forgatás' : 'Pozíciók',
    'Pontszámok',
    'Softmax',
    'Értékek',
    'Előrecsatolt',
    'Jóslat',
  ],
  titles: (rotates) => [
    'A szövegből tokenek lesznek',
    'A tokenekből vektorok lesznek',
    'Lekérdezések, kulcsok, értékek',
    rotates ? 'A forgatás mondja meg a pozíciót' : 'A pozíciók hozzáadása',
    'Pontszámok: melyik kulcs illik?',
    'Maszk és softmax: pontszámokból súlyok',
    'Az értékek keverése',
    'Az előrecsatolt háló',
    'A rétegek összegéből jóslat lesz',
  ],
  texts: {
    tokens: ({ vocabulary, predicts, causal, masks }) =>
      `Egy háló számokkal dolgozik, ezért a szövegből előbb számokat kell készíteni. A szókincs ${integer(vocabulary)} szövegdarab listája. A tokenizáló ilyen darabokra, tokenekre vágja a szöveget, és mindegyikből a listabeli sorszáma lesz. Betűt a modell sosem lát.${!predicts ? '' : causal ? ' A következő tokent fogja kitalálni.' : masks ? ' Azt a tokent fogja kitalálni, amelyet a maszk takar.' : ''}`,
    vectors: ({ embedding, hidden, rotates }) =>
      `Minden sorszám kiválaszt egy sort a beágyazási mátrixból: ${integer(embedding)} számot, amelyet a tanítás talált${embedding === hidden ? '' : ` (egy mátrix ${integer(hidden)} számot készít belőlük)`}. A hasonlóan használt tokenek sora hasonló. Ezzel a vektorral kezdődik a token reziduális folyama: minden réteg olvas belőle, és hozzáad.${rotates ? '' : ' Ez a modell rögtön hozzáadja a pozíció vektorát is.'}`,
    projections: ({ heads, sharing, cross }, head) =>
      `${cross ? '' : `Egy rétegben ${integer(heads)} figyelemfejjel nézik egymást a tokenek. `}Az ${headName(head)} fej minden token normált vektorát három mátrixszal szorozza. A lekérdezés az, amit a token keres, a kulcs az, amiről megtalálható, az érték az, amit átad. ${cross ? `Egy réteg ${integer(heads)} feje` : 'Mindegyik fej'} ugyanazokat a vektorokat olvassa, ${sharing > 1 ? `mindegyik saját lekérdezéssel; egy kulcson és értéken ${integer(sharing)} fej osztozik.` : 'mindegyik saját mátrixokkal.'}${cross ? ' A lekérdezések a szövegéi, a kulcsok és az értékek a forráséi.' : ''}`,
    rotation: ({ rotatesValues }) =>
      `A figyelem magától nem látja a sorrendet. A forgatás viszi bele, minden rétegben újra: egy lekérdezés vagy kulcs két-két száma egy nyíl, amely a token pozíciójának és egy sebességnek a szorzatával fordul el. Az első pár gyorsan forog, az utolsó alig. A pontszám a nyilak irányát veti össze. ${rotatesValues ? 'Ez a modell az értékeket is forgatja.' : 'Az értékek és a folyamok sosem forognak.'}`,
    positions: () =>
      'Ez a modell semmit sem forgat. Minden pozíciónak saját vektora van, amelyet az elején a token vektorához adtak. A rétegeknek ezekből az összegekből kell rájönniük, mi van közel és mi messze. A RoPE más utat választ: a lekérdezéseket és a kulcsokat forgatja.',
    scores: (of, { causal, cross }) =>
      sentence`${query(of)} lekérdezése találkozik ${cross ? 'a forrás tokenjeinek kulcsaival' : causal ? 'a korábbi tokenek és a saját kulcsával' : 'minden token kulcsával'}. Számonként összeszorozzuk és összeadjuk őket, majd osztunk, hogy a pontszám ne nőjön a számok darabjával. Minél hasonlóbb az irányuk, annál nagyobb a pontszám, és annál inkább ezt keresi a lekérdezés.`,
    weights: ({ causal, cross }) =>
      `A softmax súlyokat készít a pontszámokból: e-t a pontszámadik hatványra emeli, és elosztja az összeggel. A súlyok összege 1, így aki az egyik tokent jobban nézi, a többit kevésbé. ${cross ? 'A forrás egésze látható.' : causal ? 'A későbbi tokeneket maszk takarja, különben a modell látná, amit ki kell találnia.' : 'Itt minden token az előtte és az utána állókat is nézheti.'}`,
    values: ({ heads, sharing, rotates }) =>
      `Minden értéket megszorzunk a súlyával, és összeadjuk őket: ez a fej kimenete. Így visz a figyelem információt tokenről tokenre. Mind ${the(heads)} ${integer(heads)} fej kimenetéből egy mátrix készít egy vektort, és az a token folyamához adódik. Egy réteg fejeiben közös, amit olvasnak, ${rotates ? 'ahová írnak, és a forgatás' : 'és ahová írnak'}; ${sharing > 1 ? `${integer(sharing)} fejnek egy kulcs és egy érték is.` : 'más semmi.'}`,
    feedForward: ({ neurons }) =>
      `Most minden token magában van. Egy mátrix ${integer(neurons)} mintával veti össze a vektorát, amelyeket a tanítás talált; minden eredmény egy neuron. Az aktiválás a negatívakat csaknem elnémítja. Egy második mátrix vektort készít a neuronokból, és az a token folyamához adódik. A figyelem mozgatja az információt; ez a háló feldolgozza.`,
    guess: ({ predicts, masks }) =>
      `Egy token reziduális folyama összeg, amelyet a normálás csak átméretez: a beágyazása, és amit minden réteg figyelme és előrecsatolt hálója hozzáadott. ${predicts && !masks ? 'A kimeneti fej valószínűségeket készít belőle. Ebben a szövegben nincs maszk, így nincs mit jósolni: írjon bele egyet.' : predicts ? 'A kimeneti fej az utolsó összeget a szókincs minden tokenjének vektorával összeveti, a softmax pedig valószínűségeket készít. Korábban olvasva a folyam megmutatja, hogyan születik a jóslat.' : 'Ennek a résznek nincs tokeneket jósló feje: az utolsó összegeivel mások dolgoznak tovább.'}`,
  },
  questions: {
    tokens: 'Hány token lesz ebből a szövegből?',
    vectors: 'Ugyanaz a token máshol: ugyanazzal a vektorral kezdődik?',
    projections: (hidden) =>
      `Egy token vektora ${integer(hidden)} szám. Hány számból áll a lekérdezése ebben a fejben?`,
    rotation: (tokens) => `Mindkét token ${integer(tokens)} hellyel továbblép. Hogyan változik a pontszámuk?`,
    positions: 'Függ-e egy pozíció vektora attól, milyen token áll ott?',
    scores: (of) => sentence`Melyik kulcs illik legjobban ${query(of)} lekérdezéséhez?`,
    weights: (of) => sentence`Mennyi jut a súlyból ide: ${key(of)}?`,
    values: (rotates) =>
      rotates ? 'Az értékek is forognak a pozíciójukkal?' : 'Megmondhatja-e egy érték, hol van a tokenje?',
    feedForward: 'Mely más tokeneket olvassa ez a háló?',
    guess: 'Melyik rétegtől nem változik már a legjobb jóslat?',
    longest: (of) => sentence`Mi adja hozzá a leghosszabb vektort ${token(of)} folyamához?`,
  },
  options: {
    score: ['Marad', 'Nő', 'Csökken'],
    read: ['Egyiket sem', 'A nagy súlyúakat', 'Mindet'],
  },
  answers: {
    tokens: (tokens, special) =>
      `${integer(tokens)} token${special > 0 ? `, közülük ${integer(special)} különleges, ezekre a modellnek van szüksége` : ''}. Egy gyakori szó egy token, egy ritka több.`,
    vectors: (rotates) =>
      rotates
        ? 'Igen: egy sor egy tokené. Hogy a token hol van, azt még semmi sem mondja meg.'
        : 'Nem: a pozíció vektora rögtön hozzáadódik.',
    projections: (headSize, heads) =>
      `${integer(headSize)}: ${the(heads)} ${integer(heads)} fej mindegyike mást keres, a maga kis terében.`,
    rotation:
      'Marad: egy pár két nyila ugyanannyit fordul, és csak a köztük lévő szög számít. A figyelem távolságoktól függ, nem helyektől.',
    positions: 'Nem: minden szövegben ugyanaz. A rétegek csak a kettő összegét látják.',
    scores: (of, value) => sentence`${key(of)}, pontszáma ${score(value)}.`,
    weights: (part) => `${percent(part)}: e hatványaként a pontszámok kis különbségei megnőnek.`,
    values: (rotates, turns) =>
      !rotates
        ? 'Igen: a pozíciók azokban a vektorokban vannak, amelyekből az értékek készülnek.'
        : turns
          ? 'Igen, ebben a modellben.'
          : 'Nem: a forgatás azt dönti el, melyik tokent nézi a fej, nem azt, mit vesz át tőle.',
    feedForward: (of, part) =>
      sentence`Egyiket sem: ugyanaz a háló minden tokenen külön dolgozik. ${token(of)} esetén a neuronok ${percent(part, 0)} része szinte néma.`,
    guess: (found, where) => sentence`${token(found)}: ${where}.`,
    longest: (name) => `${name}.`,
  },
  embedding: 'Beágyazás',
  afterLayer: (layer) => `${integer(layer)}. réteg`,
  attentionOf: (layer) => `${integer(layer)}. réteg figyelme`,
  feedForwardOf: (layer) => `${integer(layer)}. réteg előrecsatolt hálója`,
  pair: (pair) => `${integer(pair)}. pár`,
  turnEvery: (tokens) => (tokens === '∞' ? 'nem forog' : `egy kör ${tokens}`),
  turnInTokens: (tokens) => (tokens === '∞' ? 'nem forog' : `egy kör ${tokens} token`),
  scoreNow: (value) => `pontszám ${value}`,
  rotating: 'Mindkettő a saját pozíciójáig fordul.',
  movedOn: (tokens, of) => `Együtt lépnek tovább: ${integer(tokens)} / ${integer(of)}.`,
  neuron: (neuron) => `${String(neuron)}. neuron`,
  masked: 'maszkolt',
  tower: {
    top: 'kimenet',
    bottom: 'szöveg: oszloponként egy token',
    colours: 'erősebb szín: többet ad',
    rows: {
      embedding: () => 'beágyazás',
      attention: (layer) => `figyelem ${integer(layer)}`,
      cross: (layer) => `kereszt ${integer(layer)}`,
      feedForward: (layer) => `előrecs. ${integer(layer)}`,
    },
  },
  negative: 'negatív',
  positive: 'pozitív',
  columns: {
    token: 'token',
    place: 'pozíció',
    id: 'sorszám a szókincsben',
    word: 'a beágyazási mátrix sora',
    position: 'a pozíció vektora',
    stream: 'a réteg előtti folyam',
    query: 'lekérdezés',
    key: 'kulcs',
    keys: 'kulcsok',
    rotatedKeys: 'elforgatott kulcsok',
    rotatedQuery: 'elforgatott lekérdezés',
    value: 'érték',
    weighted: 'érték × súly',
    score: 'pontszám',
    weight: 'súly',
    output: 'a fej kimenete',
    inner: 'neuronok az első mátrix után',
    activated: 'amit a második mátrix olvas',
    strongest: 'a legerősebbek',
    attention: 'figyelem: hossz',
    feedForward: 'előrecsatolt: hossz',
    guess: 'jóslat',
    probability: 'jóslat, valószínűség',
    layer: 'réteg',
    neuron: 'neuron',
  },
  label: (title, of) =>
    `${title}. A kép tokenje: ${of.text} ${of.position}. A bal és jobb nyíl a lépést váltja, a fel és le nyíl a tokent, ahol tokenek listája van.`,
  moved: (name) => name,
} satisfies Messages
