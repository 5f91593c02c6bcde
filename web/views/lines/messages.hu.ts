import { capital, headName, the, integer } from '../../i18n/numbers'
import { hasNoHover } from '../../ui/pointer'
import type { Messages } from './messages.en'

const source = (linear: boolean) =>
  `A RoFormer (Su és mások 2021, arXiv 2104.09864) ${linear ? 19 : 2}. egyenletének súlyai vonalakként, az exBERT és a BertViz nyomán. A vastagság és az erősség a súlyt követi, a legkisebb súly alatti vonalak elmaradnak${linear ? ', és a negatív súlyoké is' : ''}. A vonal azt mondja meg, honnan olvas a fej, azt nem, hogy mit kezd vele: a figyelem nem magyarázat.`

export default {
  get help(): string {
    return hasNoHover()
      ? 'Minden lekérdezés (balra) kulcsokra figyel (jobbra). Vastagabb vonal: nagyobb súly. Tartsa az ujját egy tokenen, és csak az ahhoz tartozó vonalak maradnak.'
      : 'Minden lekérdezés (balra) kulcsokra figyel (jobbra). Vastagabb vonal: nagyobb súly. Mutasson egy tokenre, és csak az ahhoz tartozó vonalak maradnak.'
  },
  source: source(false),
  sourceOf: source,
  label: (layer, head) =>
    `${capital(the(layer))} ${integer(layer)}. réteg ${integer(head)}. fejének figyelme vonalakként. A fel és le nyíl a lekérdezéseken, a bal és jobb a kulcsokon lép, a Page billentyűk tíz lekérdezést, a Home és az End az elsőre és az utolsóra.`,
  queryColumn: (cross) => (cross ? 'szöveg' : 'lekérdezés'),
  keyColumn: (cross) => (cross ? 'forrás' : 'kulcs'),
  head: (letter, layer, head) => `${letter} ${headName({ layer, head })}`,
  least: 'legkisebb súly',
  none: 'Itt egyetlen súly sem elég nagy egy vonalhoz.',
  spoken: (query, m, key, n, weight) =>
    `lekérdezés „${query}” ${m}: leginkább erre a kulcsra néz: „${key}” ${n}, súlya ${weight}`,
  table: (layer, head) => `Az ${headName({ layer, head })} fej vonallal jelölt súlyai`,
  header: ['lekérdezés pozíciója', 'lekérdezés', 'kulcs pozíciója', 'kulcs', 'súly'],
} satisfies Messages
