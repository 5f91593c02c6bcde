import { facts } from '../../i18n/facts'
import { decimal, integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  help: 'Nyolc token, ugyanazok a súlyok. Minden tag külön, az összegük, és amit az eltolás változtat; aztán a RoPE, ahol semmi sem változik. Sorok: lekérdezések (kék), oszlopok: kulcsok (narancs).',
  source: `A fejezet egyenletei dupla pontossággal; összevetve a közölt egyenletek NumPy-szkriptjével (tests/golden/generate_positions.py). Amit számolunk: a táblázatoknak ${integer(facts.learnt.positions)} pozíciójuk van, a távolságokat ennek felénél vágjuk le; Shaw-nál minden lekérdezéshez és kulcshoz egy vektor (Shaw és mások 2018, 3.3. szakasz), csak a kulcsokhoz; a Transformer-XL és a DeBERTa szorzatai minden távolsággal (Dai és mások 2019, B függelék; He és mások 2020, 1. algoritmus); a T5, a TUPE és az ALiBi minden fejhez, lekérdezéshez és kulcshoz egy szám.`,
  way: 'módszer',
  names: ['nincs', 'szinuszos', 'tanult táblázat', 'Shaw', 'Transformer-XL', 'T5', 'TUPE', 'DeBERTa', 'ALiBi', 'RoPE'],
  terms: {
    content: 'tartalom · tartalom',
    toPlace: 'tartalom · pozíció',
    ofPlace: 'pozíció · tartalom',
    places: 'pozíció · pozíció',
    toDistance: 'tartalom · távolság',
    ofDistance: 'távolság · tartalom',
    any: 'közös · tartalom',
    anyDistance: 'közös · távolság',
    bucket: 'a sáv száma',
    penalty: 'büntetés',
    rotated: 'forgatott · forgatott',
    sum: 'összeg',
    moved: 'az összeg változása',
  },
  ropeName: 'RoPE',
  same: (zero) => `mindenütt ${zero}`,
  first: 'az első token pozíciója',
  at: (position) => integer(position),
  holds: 'Eltolva a térkép ugyanaz marad.',
  changes: (by) => `Eltolva egy pontszám legnagyobb változása ${decimal(by, 2)}.`,
  ends: (table) => `A táblázatnak ${integer(table)} sora van: azon túl nincs pontszám.`,
  costs: 'mit tanul és mit tárol minden módszer',
  counted: `Ennyi számot tanul minden módszer, és ennyit tárol ezeken felül, amíg ${integer(facts.learnt.positions)} tokent olvas, ${integer(facts.learnt.heads)} darab ${integer(facts.learnt.headSize)} méretű fejjel.`,
  costColumns: ['módszer', 'rétegenként tanul', 'közösen tanul', 'rétegenként tárol', 'közösen tárol'],
  none: 'ott nincs',
  table: 'pontszámok',
  columns: ['lekérdezés', 'kulcs', 'itt', 'eltolva'],
} satisfies Messages
