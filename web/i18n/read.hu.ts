// Read in Hungarian.
import type { ReadWords } from './read.en'
import { beyond, byDistance, deep, facts, guesses, mutedPairs, otherScaling, set, trained, training } from './facts'
import { decimal, integer } from './numbers'
import { code, key, link, query, sentence, sub, variable } from './rich'

const i = variable('i')
const paper = 'Su és mások 2021, arXiv 2104.09864'

const chapters: ReadWords['chapters'] = () => ({
  1: {
    name: 'Ki hol áll?',
    topic: 'sorrend',
    question: 'Mit árul el egy szó pozíciója, amit maga a szó nem?',
    text: [
      sentence`Öten állnak sorban egy pult előtt. Egyiküket megnevezhetjük aszerint, amit látunk: „a piros kabátos nő”; a sorszámával: „a harmadik”; vagy a szomszédjával: „aki a bőröndös férfi mögött áll”. Az első névben nincs hely. A második mindenkire téves lesz, amint egyvalakit kiszolgáltak. A harmadik igaz marad, bárhová jut is a sor.`,
      sentence`A szavakat ugyanígy háromféleképpen nevezhetjük meg. Az egyik mondatban a „deep” és a „learning” ${integer(deep.near)}, a másikban ${integer(deep.far)} tokenre van egymástól: ugyanaz a két szó, és együtt mást jelentenek. Hogy milyen messze vannak, az számít; hogy a mondat hányadik tokennél kezdődik, az alig. Az abszolút pozíciók mindkettőt elárulják, és a modellnek kell megtanulnia, melyik számít; a relatívak csak az elsőt.`,
    ],
    guess: {
      question: 'Az elsőt kiszolgálják, és elmegy. Mely nevek igazak még?',
      answers: [
        '„a harmadik” és „a bőröndös mögött”',
        'csak „a piros kabátos”',
        '„a piros kabátos” és „a bőröndös mögött”',
      ],
      because: 'Amit látunk, és hogy ki ki mögött áll, az marad. Minden szám megváltozik.',
    },
    tries: ['lépjen előre a sor', 'a modell: „deep learning”', 'a modell: „deep ocean … learning”'],
    not: sentence`Hogyan tanul meg egy modell figyelni a távolságra, és figyel-e rá egyáltalán. A sor alatti súly a betöltött modell egyetlen fejéé; más fejek mást tesznek.`,
    sources: sentence`A két mondat He és mások 2020 (DeBERTa, arXiv 2006.03654) 1. szakaszának megfigyelését követi. Az abszolút és a relatív pozíció megkülönböztetése a cikk (${paper}) 2. szakaszáé.`,
  },
  2: {
    name: 'Figyelem kézi számítással',
    topic: 'permutáció',
    question: 'Mit tud a figyelem a sorrendről?',
    text: [
      sentence`Minden tokenhez három vektor tartozik: a ${query('lekérdezés (query)')}, amit keres; a ${key('kulcs (key)')}, amiről megtalálható; és az érték (value), amit továbbad. Egy token lekérdezésének és egy másik kulcsának szorzata a pontszám. Ezt √${variable('d')}-vel osztjuk, mert hosszú vektorok skaláris szorzatai jobban szóródnak: ${variable('d')} véletlen számnál √${variable('d')}-szeresen. A softmax egy sor pontszámból 1 összegű súlyokat készít, és a token ilyen arányban kapja az értékeket.`,
      sentence`A maszk kulcsokat zár ki: a kitöltés (padding) minden sorban ugyanazokat az oszlopokat, a kauzális maszk mindent, ami később jön, a kódoló és a dekódoló között pedig csak a kódoló kitöltését. Most cseréljünk fel két tokent. Sorok és oszlopok helyet cserélnek, és minden token ugyanazt kapja, mint addig. Maszk nélkül a figyelem nem ismer sorrendet. Ezért kellenek a pozíciók.`,
    ],
    guess: {
      question: 'Nincs maszk, és két token helyet cserél. Mit kap a harmadik?',
      answers: ['pontosan ugyanazt', 'ugyanazokat az értékeket más súlyokkal', 'egészen mást'],
      because:
        'A pontszámok a tokenekhez tartoznak, nem a helyekhez. A kauzális maszk elárul valamit: az utolsó token többet lát, mint az első.',
    },
    tries: ['az első két token cseréje', 'ami később jön, takarva', '√d nélkül'],
    not: sentence`A három mátrix, amely egy beágyazásból lekérdezést, kulcsot és értéket készít, több fej egymás mellett, és rétegek egymás fölött.`,
    sources: sentence`Vaswani és mások 2017 (arXiv 1706.03762), 1. egyenlet, 3.2.1. és 3.2.3. szakasz; a cikk (${paper}) 2. egyenlete. Vaswani és társai a kitakart pontszámot −∞-re állítják; itt, mint a transformersben, egy nagy negatív számot adunk hozzá. Így az a sor, amelynek nem marad kulcsa, egyenletes lesz, nem pedig értelmetlen.`,
  },
  3: {
    name: 'Hozzáadjuk a pozíciót?',
    topic: 'abszolút pozíciók',
    question: 'Mi lesz egy vektorból, ha hozzáadjuk a pozícióját?',
    text: [
      sentence`Az első transzformerek minden beágyazáshoz egy vektort adnak: minden dimenziópárhoz a pozíció szinuszát és koszinuszát, mindegyik pár a maga sebességével; vagy egy vektort, amelyet pozíciónként tanulnak meg. A szinuszos vektorok mind egyforma hosszúak (${integer(facts.headSize)} dimenzióban ${decimal(facts.placeNorm, 2)}), és kettő szorzata csak a távolságuktól függ: ez a 6. fejezet koszinuszösszege.`,
      sentence`De az összeadás kever. Az összeg minden pozícióban más hosszú és másfelé mutat, a pontszámnak pedig négy tagja lesz: tartalom a tartalommal, tartalom a pozícióval, pozíció a tartalommal, pozíció a pozícióval. A tanult táblázat az utolsó soránál véget ér; az itt látható magától jutott hullámokhoz. Ami segít, az a tér: sok dimenzióban két véletlen vektor majdnem merőleges. Koszinuszaik a 0 körül torlódnak, szórásuk ${integer(facts.headSize)} dimenzióban ${decimal(facts.spread, 3)}, így az összeg a legtöbb irányban alig változik.`,
    ],
    guess: {
      question: 'Két véletlen vektort húzunk. Hány dimenzióban vannak legközelebb a merőlegeshez?',
      answers: guesses.dimensions.map((count) => integer(count)),
      because: 'A koszinusz szórása egy osztva a dimenziók számának gyökével.',
    },
    tries: ['egy modell tanult táblázata', `alap: ${integer(set.base)}`, `${integer(set.largeHead)} méretű fej`],
    not: sentence`Árt-e ez egy betanított modellnek: sok jól olvas hozzáadott pozíciókkal. A vektor, amelyhez a pozíciót adjuk, véletlen, nem egy modell beágyazása.`,
    sources: sentence`A cikk (${paper}) 3., 4. és 6. egyenlete; Vaswani és mások 2017 (arXiv 1706.03762), 3.5. szakasz. A szinusz periódusa a dimenziótól függ, és nem nő a pozícióval. A tanult táblázat: sentence-transformers/all-MiniLM-L6-v2.`,
  },
  4: {
    name: 'Inkább forgassuk',
    topic: 'forgatás, mθ és nθ',
    question: 'Mi marad meg, ha minden tokent a pozíciójával forgatunk?',
    text: [
      sentence`Vegyük egy ${query('lekérdezés')} két számát nyílnak, és forgassuk el ${variable('mθ')} szöggel, ahol ${variable('m')} a pozíciója. A ${key('kulcs')} nyilát ${variable('nθ')} szöggel forgatjuk. Szorzatuk a két hossz szorozva a közbezárt szög koszinuszával, és a forgatás ezt a szöget (${variable('m')} − ${variable('n')})${variable('θ')}-val változtatja meg: csak a távolság marad. Ha mindkettőt eltoljuk, semmi sem mozdul. Ha csak az egyiket, a pontszám változik.`,
      sentence`Az előjel is számít. Ha θ = 30°, q = (1, 0) és k = (0,7; 0,7), a pontszám ${decimal(facts.score.ahead, 2)}, ha a kulcs kettővel később áll, és ${decimal(facts.score.behind, 2)}, ha kettővel előbb. Semmit sem adunk hozzá, ezért minden pár megtartja a hosszát, és az egész vektor is.`,
      sentence`Hogy melyik két szám alkot párt, az megállapodás: a RoFormer szomszédokat vesz, a Llama és a GPT-NeoX a két fél ${i}-edik számát. A szögek ugyanazok. Az egyikkel tanított súlyok a másikkal értelmetlenek, amíg soraikat át nem rendezzük.`,
    ],
    guess: {
      question: 'm és n helyet cserél. Ugyanaz a pontszám?',
      answers: ['igen: a távolság ugyanaz', 'általában nem: számít a távolság előjele'],
      because: 'Csak akkor ugyanaz, ha a két nyíl egy egyenesen indul, vagy ha a forgatás visszaér.',
    },
    tries: [
      `m = ${integer(set.near.query)}, n = ${integer(set.near.key)}`,
      `m = ${integer(set.near.key)}, n = ${integer(set.near.query)}`,
      'hosszak: forgatva és hozzáadva',
    ],
    not: sentence`Egy egész fejet: abban sok ilyen pár van, mindegyik a maga sebességével (5. fejezet).`,
    sources: sentence`A cikk (${paper}) 11–16. és 34. egyenlete. Felek: rotate_half a transformers Llama és GPT-NeoX modelljében.`,
  },
  5: {
    name: 'Sokféle sebesség',
    topic: 'frekvenciák, θᵢ',
    question: 'Miért forog minden pár a maga sebességével?',
    text: [
      sentence`Vágjunk egy ${query('lekérdezést')} vagy ${key('kulcsot')} párokra: minden pár egy óramutató. ${integer(facts.headSize)} méretű fejben a 0. pár tokenenként egy radiánt fordul, és ${decimal(facts.first, 1)} token alatt ér körbe. Minden következő ${decimal(facts.slower, 2)}-szor lassabb; a ${integer(facts.pairs)} közül az utolsónak ${integer(facts.last)} token kell.`,
      sentence`A gyors mutató megkülönbözteti a szomszédokat, de hamar ott áll, ahol már állt. A lassú későn vagy sosem ér körbe, de egyik tokentől a másikig alig mozdul. Ezért egy mutató egymagában csak addig árulja el a távolságot, amíg már elmozdult, de még nem ért körbe. A képen ez a csíkos sáv. Tőle balra a mutatók állnak, jobbra túl sokszor körbeértek.`,
      sentence`Az a modell, amely ${integer(facts.context)} tokent olvas, egyes mutatókat teljes körben látott, másokat csak az első fordulat elején. Róluk szól a 8. fejezet.`,
    ],
    guess: {
      question: `A ${integer(facts.pairs)} mutatóból hány fordul körbe ${integer(facts.context)} token alatt?`,
      answers: guesses.parts.map((part) => integer((facts.pairs * part) / guesses.parts.length)),
      because: 'A hullámhossz párról párra ugyanannyiszorosára nő: logaritmikus tengelyen egyenletesen állnak.',
    },
    tries: [`${integer(set.farDistance)} token távolság`, 'egy token távolság', `alap: ${integer(set.largerBase)}`],
    not: sentence`Kell-e a modellnek egy mutató. ${link('A Felfedezőben a mutatók megállíthatók vagy kivághatók', mutedPairs)}, és a veszteség megmondja, mibe kerül.`,
    sources: sentence`A cikk (${paper}) 15. egyenlete és 3.3. szakasza: θ${sub('i')} = ${variable('b')} a −2${i}/${variable('d')}-ediken, ${i} 0-tól; ott ${variable('b')} = 10 000.`,
  },
  6: {
    name: 'Közel és távol',
    topic: 'hosszú távú csökkenés',
    question: 'Csökken-e a pontszám a távolsággal?',
    text: [
      sentence`Minden pár egy mutató, amelyet a távolság elforgat. Szomszédok között a mutatók egy irányba néznek, és részeik a pontszámban összeadódnak. Távolabb szétszélednek, és részeik kioltják egymást: ez az a csökkenés, amelyet a cikk ígér, felső korlátként, nem szabályként.`,
      sentence`A cikk felső korlátot bizonyít: egyetlen pontszám sem nagyobb, mint egy tartalomtól függő tényező, max |h${sub('i+1')} − h${sub('i')}|, szorozva egy összeggel, amely csak a távolságtól függ. A 2. ábra ennek az összegnek az átlagát rajzolja. ${variable('d')} = 128-nál ${decimal(facts.bound.at0, 1)}-ről indul (itt a nyomtatott ábra le van vágva), ${integer(facts.bound.lowestAt)} tokennél ${decimal(facts.bound.lowest, 2)}-ig esik, aztán hullámzik.`,
      sentence`Ez korlát, nem pontszám. Ha q és k minden párban ugyanaz, a pontszám a cos ${variable('mθᵢ')} összege. Ez is csökken, és először ${integer(facts.crossing.d64)} távolságnál negatív, ha ${variable('d')} = 64, ${integer(facts.crossing.d128)} távolságnál, ha 128, és ${integer(facts.crossing.larger)} alappal ${integer(facts.crossing.d64Base500k)}, illetve ${integer(facts.crossing.d128Base500k)} távolságnál. Minél hosszabb a szöveg, annál nagyobb alap kell, hogy sehol se legyen negatív. Véletlen q és k pontszáma nem csökken: szórása minden távolságban ugyanakkora. Az a kulcs pedig, amelyet a lekérdezés valamekkora távolsággal való elforgatásával kapunk, éppen annál a távolságnál kapja a legnagyobb pontszámot.`,
    ],
    guess: {
      question: `q és k véletlen. Mekkora a pontszámuk ${integer(guesses.distance.far)} token távolságban az ${integer(guesses.distance.near)} token távolságúhoz képest?`,
      answers: ['sokkal kisebb, ahogy a korlát', 'nagyjából ugyanakkora'],
      because: 'Egy véletlen vektor elforgatva is véletlen vektor. Csak a fölötte lévő korlát lett alacsonyabb.',
    },
    tries: ['minden pár egyforma gyors', `${integer(set.aligned)} tokenhez igazítva`, 'a legkisebb alap'],
    not: sentence`Mit tesznek a betanított fejek: ${link('a Felfedező megméri', byDistance)}. Barbero és mások szerint a Gemma 7B a leggyorsabb párokból helyre néző fejeket épít, a leglassúbbakat pedig a legtöbbet használja, gyanítják, hogy tartalomra; kétlik, hogy főként a távolsággal való csökkenés miatt hasznos a forgatás.`,
    sources: sentence`A cikk (${paper}) 3.4.3. szakasza, 35–37. egyenlete és 2. ábrája; ${variable('d')} = 128 a szerző kódjából való (kexue.fm/archives/8265). Koszinuszösszeg: Su, kexue.fm/archives/10122, és Men és mások 2024 (arXiv 2405.14591). Barbero és mások 2024 (arXiv 2410.06205).`,
  },
  7: {
    name: 'Toljunk el mindent',
    topic: 'csak a távolság számít',
    question: 'Mi változik, ha minden pozíció ugyanannyival tolódik el?',
    text: [
      sentence`Adjunk egy egész modell minden rétegében és fejében minden pozícióhoz ugyanannyit. Ha a pontszámok csak távolságot ismernek, egyetlen súly és egyetlen jóslat sem változhat. A RoFormer beágyazásaiban nincs pozíció; a lekérdezéseket és a kulcsokat forgatja, semmi mást. Ami marad, az a szögek, szorzatok és összegek kerekítése 32 bites számokra, bármilyen messzire toljuk is a szöveget. Az ábra minden fej minden súlyát és minden logitot összehasonlít.`,
      sentence`Egyetlen beállítás rontja el. A ${code('rotary_value')} az értékeket is forgatja, és amit a fej továbbad, az elárulja, melyik pozícióban olvasták: minden későbbi réteg ezt olvassa. Ha a lekérdezés pozíciójával visszaforgatjuk, az érték csak a távolságával elforgatva érkezik, és az eltolás megint semmit sem változtat.`,
    ],
    guess: {
      question: `Minden pozícióhoz ${integer(set.offset)}-et adunk. Mennyit változnak a figyelmi súlyok?`,
      answers: ['csak kerekítésnyit', 'annál többet, minél mélyebb a réteg', 'a felismerhetetlenségig'],
      because: 'A legnagyobb változást az ábra méri, a betöltött modellen és szövegén.',
    },
    tries: [`${integer(set.offset)}-rel`, 'forogjanak az értékek is', 'és forogjanak vissza'],
    not: sentence`Mit kezd egy modell olyan távolságokkal, amilyeneket sosem látott: itt mind a régi marad.`,
    sources: sentence`A cikk (${paper}) 16. egyenlete; ${code('rotary_value')} a transformers RoFormerében; RoVE, arXiv 2606.11275.`,
  },
  8: {
    name: 'A hosszon túl',
    topic: 'a kontextus bővítése',
    question: 'Hogyan olvas egy modell hosszabb szöveget, mint amilyenen tanították?',
    text: [
      sentence`A saját hosszán belül a modell a gyors mutatókat teljes körben látta, a lassúakat csak az út egy részén. Hogy tovább olvasson, a frekvenciákat változtatják meg. A pozíciók interpolálása mindet osztja, és a szomszédok nehezebben különböztethetők meg. Az NTK-tudatos skálázás az alapot növeli: az első pár marad, az utolsót a teljes tényező osztja. A YaRN megtartja, ami sokszor fordul, osztja, ami egyszer sem, a többin kever: a cikke a fordulatok, a kódja a pár sorszáma szerint, s e kettő között legfeljebb ${decimal(facts.yarn.ratio, 2)}-szoros az eltérés. A LongRoPE minden párhoz kereséssel talál tényezőt. A Llama 3.1 ${integer(facts.llama.kept)} párt megtart, ${integer(facts.llama.blended)}-ot kever, ${integer(facts.llama.divided)}-et oszt.`,
      sentence`A ReRoPE és a log-n nem nyúl a frekvenciákhoz: az egyik egy korláton túl nem számol nagyobb távolságot, a másik a szöveg hosszával élesíti a softmaxot. A kudarcnak ugyanis legalább két oka lehet: a sosem látott távolságok, és a több token között vékonyabban szétosztott súly. Hogy melyik az, azt meg kell mérni. Modellünk vesztesége egy, a tanításból kihagyott könyvön, a saját hosszán, ${integer(beyond.context)} tokenen ${decimal(beyond.losses.plain[1], 2)}, négyszer ekkora szövegen ${decimal(beyond.losses.plain[4], 2)}. Ott a log-n ${decimal(beyond.losses.logn[4], 2)} értékig viszi le, a távolságkorlát ${decimal(beyond.losses.clamp[4], 2)} értékig, a kettő együtt ${decimal(beyond.losses.both[4], 2)} értékig. Az interpolálás további tanítás nélkül tönkreteszi: ${decimal(beyond.losses.interpolation[4], 2)}.`,
    ],
    guess: {
      question: `A pozíciókat ${integer(guesses.factor)}-gyel interpoláljuk. Mennyivel lassul a leggyorsabb pár?`,
      answers: ['semennyivel', `${integer(guesses.factor / 2)}-szeresen`, `${integer(guesses.factor)}-szeresen`],
      because:
        'Az interpolálás mindet egyformán osztja; az NTK-tudatos skálázás és a YaRN a leggyorsabbat békén hagyja.',
    },
    tries: [
      `${integer(set.factor)}-szor olyan hosszú, d = ${integer(set.headSize)}`,
      'Llama 3.1',
      'a LongRoPE tényezői',
    ],
    not: sentence`Mire vinné további tanítással: ezek a veszteségek anélkül értendők. ${link('A Felfedező a betöltött modellt más skálázással is futtatja', otherScaling)}, önmaga mellett.`,
    sources: sentence`Chen és mások 2023 (arXiv 2306.15595); Peng és mások 2023 (YaRN, arXiv 2309.00071), 13. egyenlet és A.2. függelék az ICLR 2024 szerint; Ding és mások 2024 (LongRoPE, arXiv 2402.13753), 3.1. és 3.2. szakasz, amelynek tényezőit kereséssel találják, és a modell fájljában állnak: a cikk a szöveg első tokenjeit is érintetlenül hagyja, nagysága a transformersé; a transformers modeling_rope_utils.py fájlja; ReRoPE, github.com/bojone/rerope, amelynek kódjában log-n is van; log-n: Su, kexue.fm/archives/8823. Veszteségek: training/measure_lengths.py.`,
  },
  9: {
    name: 'Más pozíciókódolások',
    topic: 'ALiBi, T5, szinuszok',
    question: 'Hogyan tudhatja még meg a figyelem, hol állnak a tokenek?',
    text: [
      sentence`Mind a lekérdezés és a kulcs szorzatával kezdődik. Egyesek a beágyazáshoz adnak egy számított vagy tanult vektort: a pontszámnak ekkor négy tagja van. Mások a távolság vektorát adják a kulcshoz (Shaw), vagy a lekérdezéssel és a kulccsal szorozzák (Transformer-XL, DeBERTa). Megint mások egy számot adnak a pontszámhoz: távolságsávonként tanultat (T5), pozíciók szorzata mellett (TUPE), vagy állandó büntetést (ALiBi). A RoPE semmit sem ad hozzá, hanem forgat.`,
      sentence`Toljunk el minden tokent, és vessük össze a térképeket. Amelyik csak távolságot ismer, marad; amelyik pozíciót, az változik, a tanult táblázat pedig véget ér. Abban is különböznek, mennyit tanulnak: ${integer(facts.learnt.heads)} darab ${integer(facts.learnt.headSize)} méretű fejre és ${integer(facts.learnt.positions)} pozícióra a táblázat ${integer(facts.learnt.learned)} számot, a T5 ${integer(facts.learnt.t5)}-et, a RoPE egyet sem.`,
      sentence`Három elírás kering: a hozzáadott pozíciók négy tagját (6. egyenlet) a Transformer-XL-ének mondják, holott az a 7. egyenlet; a DeBERTa p̃ pozícióját x̃-nak írják; és a 9. egyenletet maga a cikk Raffelnek és társainak tulajdonítja, holott az a TUPE, Ke és mások műve.`,
    ],
    guess: {
      question: `Minden token ${integer(set.first)} pozícióval továbbmegy. Melyik térkép változik?`,
      answers: ['az ALiBi térképe', 'a T5 térképe', 'a tanult táblázaté'],
      because: 'Az ALiBi és a T5 csak távolságot ismer. A táblázatnak minden pozícióhoz más sora van.',
    },
    tries: [
      'tanult táblázat a végén',
      `szinuszok, ${integer(set.first)}-zel eltolva`,
      `RoPE, ${integer(set.first)}-zel eltolva`,
    ],
    not: sentence`Melyik a jobb. Minden súlyt véletlenmagból húztunk; azt helyettesítik, amit egy modell megtanult volna.`,
    sources: sentence`A cikk (${paper}) 3–10. és 16. egyenlete. Kettő itt az eredeti cikke szerint áll: Shaw és mások 2018 (arXiv 1803.02155) a kész kulcshoz adnak egy vektort (az 5. egyenlet még a ${variable('W')}${sub('k')} előtt), és egyet az értékhez is; a Transformer-XL-ben (Dai és mások 2019, arXiv 1901.02860) u és v egy egész lekérdezés helyén áll (a 7. egyenlet ${variable('W')}${sub('q')}-val szorozza). TUPE: Ke és mások 2020 (arXiv 2006.15595). Maga a DeBERTa (arXiv 2006.03654) a harmadik tag távolságát fordítva számolja, és a pozíciókhoz külön mátrixokat tanul. Az ALiBi (Press és mások 2022, arXiv 2108.12409) ott kauzális; itt a büntetése mindkét irányban él. A T5 egyetlen szorzatot sem oszt √${variable('d')}-vel, a TUPE és a DeBERTa a kétszeres és a háromszoros gyökével osztja; itt mindet √${variable('d')}-vel osztjuk.`,
  },
  10: {
    name: 'Mibe kerül, és mit ad',
    topic: 'számítás, kernelek',
    question: 'Mibe kerül a forgatás, és mire jó?',
    text: [
      sentence`A cikk mátrixaként egy ${integer(facts.headSize)} számból álló vektor forgatása ${integer(facts.cost.matrix)} szorzás, majdnem mind 0-val. Páronként ${integer(facts.cost.pairwise)}; komplex számok szorzataként ugyanannyi. ${integer(facts.context)} pozíció koszinuszai és szinuszai ${integer(facts.cost.table)} szám, amelyen minden fej és réteg osztozik; mátrixként ${integer(facts.cost.matrices)} volna.`,
      sentence`${variable('N')} token figyelme ${variable('N')}² súlyt készít. A lineáris figyelem a kulcsokra vett összeget egyszer készíti el, a térképet soha. Ott a forgatás a jellemzőleképezés után jön, és a nevezőt nem forgatjuk (19. egyenlet): a súlyok lehetnek negatívak, és összegük nem 1.`,
      sentence`Egyformán és röviden, háromszor-háromszor tanított modelljeink vesztesége forgatásos pozíciókkal ${decimal(trained.rotary.loss_by_length[128].mean, 2)}, szinuszokkal ${decimal(trained.sinusoidal.loss_by_length[128].mean, 2)}, tanult táblázattal ${decimal(trained.learned.loss_by_length[128].mean, 2)} lett. Ez azt mondja meg, ki tanul hamarabb. Azt nem, hogy a végén milyen messze lesznek egymástól.`,
    ],
    guess: {
      question: `A forgatásos modelleket ${integer(training.tokens)} tokenen tanítottuk. ${integer(training.longest)} tokenen a veszteségük …`,
      answers: ['kissé nagyobb', 'kétszer akkora', 'kisebb'],
      because: 'A hosszukon túl lassan romlanak; a tanult táblázatnak ott nincsenek sorai.',
    },
    tries: ['csak a forgatásos', 'a forgatás háromféleképpen, mérve', 'a figyelem a hossz szerint, mérve'],
    not: sentence`Végig lefutott versenyt: ${integer(training.steps)} lépés után a két abszolút fajta alig kezdett tanulni, és nem kerestünk hozzájuk jobb beállításokat.`,
    sources: sentence`A cikk (${paper}) 34. egyenlete és 3.4.2. szakasza, 17–19. egyenlete; 3. ábrája kicsiben: training/compare_positions.py, eredmények: training/results/positions.json.`,
  },
})

const page: ReadWords['page'] = {
  title: 'Olvasmány',
  chapters: 'Fejezetek',
  figures: 'A fejezet ábrái',
  all: 'minden ábra',
  previous: (name) => `Előző: ${name}`,
  lesson: 'Lecke: egy teljes transzformer kilenc lépésben',
  next: (name) => `Következő: ${name}`,
  toFigure: 'az ábrához',
  larger: 'nagyobb',
  smaller: 'kisebb',
  allTitle: 'Minden ábra',
  allLead: 'Minden ábra magában, vagy kettő egymás mellett. Mind ugyanazt a vonalzót követi.',
  guess: 'Előbb tippeljen',
  right: 'Igen.',
  wrong: 'Nem.',
  attempt: 'Próbálja ki',
  not: 'Amit nem mutat:',
  sources: 'Források',
  errata: 'Gyakori tévedések',
  noEngine: 'A motor nem indult el: az ábrák állnak, a szöveg teljes.',
  noModel: 'Ehhez modell kell: az első eredménnyel jelenik meg.',
  ruler: {
    label: 'Az ábrák közös vonalzója',
    headSize: 'fejméret',
    base: 'alap',
    context: 'kontextus',
    vectors: 'q és k',
    vector: { random: 'véletlen', equal: 'egyenlő', head: 'ez a fej' },
    query: 'lekérdezés',
    key: 'kulcs',
    both: 'mindkettő',
    distance: (tokens) => `távolság ${integer(Math.abs(tokens))}`,
    back: (what) => `${what} eggyel vissza`,
    on: (what) => `${what} eggyel tovább`,
    play: 'lejátszás',
    stop: 'állj',
    ofModel: 'a modellé',
  },
}

export const read: ReadWords = { chapters, page }
