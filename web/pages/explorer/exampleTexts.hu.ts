import type { Messages } from './exampleTexts.en'

export default {
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
} satisfies Messages
