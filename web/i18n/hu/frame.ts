import { integer } from '../numbers'
import type { Words } from '../words.svelte'

export const frame: Words['frame'] = {
  more: 'több',
  formula: 'Képlet és forrás',
  numbers: 'Számok',
  keys: 'Billentyűk',
  export: 'Mentés vagy másolás',
  png: (scale) => `PNG, ${scale} ×`,
  svg: 'SVG',
  csv: 'CSV',
  json: 'JSON',
  everything: {
    make: 'Minden közbülső érték, safetensors',
    coming: 'A szöveg fut, hogy minden közbülső értéke meglegyen …',
    saved: (command) => `Elmentve. Ugyanez parancsként: ${command}`,
    overtaken: 'Közben másik szöveg érkezett. Nyomja meg újra.',
  },
  link: 'Hivatkozás másolása',
  command: 'Ugyanez parancsként',
  copy: 'Másolás',
  copied: 'Másolva.',
  copyByHand: 'A böngésző nem engedte a másolást. Jelölje ki, és másolja:',
  failed: (what) => `A böngésző nem készített ${what} fájlt. Próbáljon másik formátumot.`,
  pin: 'Nyitva tartás mások mellett',
  close: (title) => `${title} bezárása`,
  loading: 'Úton van …',
  broken: 'Ezt az ábrát nem sikerült letölteni. Ellenőrizze a kapcsolatot, és próbálja újra.',
  again: 'Újra',
  needsRun: 'Az első eredménnyel jelenik meg.',
  needsModel: 'Ehhez egy modellnek kell futnia, és nincs betöltve egy sem: a Models alatt nyitható meg.',
  clamped: (reach) =>
    `Ebben a futásban a távolság legfeljebb ${integer(reach)}. Távolabbi tokenek pontszámai itt úgy állnak, mintha nem volna határ: nem a modelléi.`,
  nothingTurns:
    'Ez a modell a pozíciókat a beágyazásaihoz adja: sem lekérdezés, sem kulcs nem forog, itt nincs mit mutatni.',
  notServed: 'Ennek a modellnek nincs olyanja, amit ez az ábra mutathatna.',
}

export const elements: Words['elements'] = {
  colours: 'Színek: a 0 súly a lap színe, az 1 a legerősebb, a súly négyzetgyöke szerint',
  formula: 'képlet',
  copyCsv: 'Másolás CSV-ként',
  rowsCopied: (rows) => `${integer(rows)} sor másolva`,
  clipboardRefused: 'a böngésző nem engedte a vágólapot; a táblázat kijelölhető és kézzel másolható',
  moreRows: (shown, all) => `További sorok (${integer(shown)} / ${integer(all)})`,
  asTable: 'számok táblázatban',
}
