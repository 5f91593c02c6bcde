import type { Messages } from './errata.en'
import { sentence, stressed, sub, sup, variable } from '../../i18n/rich'

const m = variable('mθ')
const n = variable('nθ')
const half = sub('d/2')

const errata: Messages = {
  title: 'Gyakori tévedések a RoPE-ról',
  items: [
    [
      'sign',
      {
        claim: sentence`„A forgatómátrixban a mínusz az átló alatt áll.”`,
        right: sentence`Az visszafelé forgat. A ${variable('m')} pozíció egy párt ${variable('+mθ')} szöggel fordít el:`,
      },
    ],
    [
      'periodic',
      {
        claim: sentence`„A θ periodikus függvény.”`,
        right: sentence`Minden ${variable('θᵢ')} állandó; együtt csökkenő mértani sorozat, 10000${sup('−2i/d')}. Periodikus a ${variable('mθᵢ')} koszinusza és szinusza – a leggyorsabb párnál 6,3, a leglassabbnál több tízezer pozíció a periódusa.`,
      },
    ],
    [
      'product',
      {
        claim: sentence`„Két forgatás szorzatában cos ${m} cos ${n} − sin ${m} sin ${n} áll.”`,
        right: sentence`Mínusszal ez a pozíciók ${stressed('összegének')} koszinusza, és semmi relatív nem marad. A transzponált forgatás megfordítja az előjelet:`,
      },
    ],
    [
      'score',
      {
        claim: sentence`„A pontszám xᵀ W R W x.”`,
        right: sentence`Két transzponálás és két pozíció könnyen elvész. Teljes alakban:`,
      },
    ],
    [
      'fast',
      {
        claim: sentence`„A gyors alak vége −x${sub('d−1')}, x${sub('d')}.”`,
        right: sentence`A szinuszokkal szorzott vektor minden párt felcserél, és az elsőt ellentettjére váltja: −x${sub('2')}, x${sub('1')} az eleje és −x${sub('d')}, x${sub('d−1')} a vége.`,
      },
    ],
    [
      'added',
      {
        claim: sentence`„A RoPE-ot a beágyazáshoz adjuk.”`,
        right: sentence`Sehol semmit nem adunk hozzá. A RoFormer beágyazásai nem ismernek pozíciót; minden rétegben minden fej lekérdezéseit és kulcsait forgatjuk, értékeit (alapesetben) nem. Ezért ha minden pozíciót egyformán eltolunk, egyetlen figyelmi súly sem változik.`,
      },
    ],
    [
      'halves',
      {
        claim: sentence`„A párok: (x₀, x${half}), (x₁, x${sub('d/2+1')}), …”`,
        right: sentence`A Llamában és a GPT-NeoX-ben igen. A RoFormer szomszédokat forgat: (x₀, x₁), (x₂, x₃), … Mindkettő relatív pontszámot ad; az egyik súlyai a másikban is működnek, ha lekérdezéseik és kulcsaik sorait a másik rendjébe tesszük, ahogy ez az oldal teszi olvasáskor: itt a pár mindig két szomszéd.`,
      },
    ],
    [
      'decay',
      {
        claim: sentence`„A RoPE-tól a figyelem a távolsággal csökken.”`,
        right: sentence`A cikk azt mutatja meg, hogy egy felső korlát egyik tényezője csökken, és az sem egyenletesen. Ábrája ezt rajzolja:`,
        after: sentence`Maga a pontszám a lekérdezéstől és a kulcstól is függ. Egy fej bármelyik távolságon adhatja a legnagyobb pontszámát; az itteni első példa pontosan egynél. Véletlen lekérdezéseknél és kulcsoknál semmi csökkenés nincs.`,
      },
    ],
    [
      'linear',
      {
        claim: sentence`„Lineáris figyelemnél előbb forgatunk, aztán jön a jellemzőleképezés.”`,
        right: sentence`Fordítva: a forgatás a jellemzőleképezés után jön, és a nevezőt nem forgatjuk. Ha előbb forgatunk, a pontszám megint az abszolút pozícióktól függ.`,
      },
    ],
    [
      'precision',
      {
        claim: sentence`„A cos és a sin bárhol kiszámítható.”`,
        right: sentence`A szögek több ezer radiánra nőnek. Fél pontossággal a táblázatuk már nem forgatás, az árnyalónyelvek pedig nagy szögekre keveset ígérnek. Itt a CPU számolja őket dupla pontossággal, és egyszer kerekít.`,
      },
    ],
    [
      'neo',
      {
        claim: sentence`„A GPT-Neo RoPE-ot használ.”`,
        right: sentence`A GPT-J és a GPT-NeoX igen. A GPT-Neo minden abszolút pozícióhoz egy vektort tanult.`,
      },
    ],
  ],
}

export default errata
