import { integer } from '../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  colours: 'Színek: a 0 súly a lap színe, az 1 a legerősebb, a súly négyzetgyöke szerint',
  part: {
    loading: 'Betöltés…',
    broken: 'Az oldalnak ezt a részét nem sikerült letölteni. Ellenőrizze a kapcsolatot, és próbálja újra.',
    again: 'Újra',
  },
  formula: 'képlet',
  copyCsv: 'Másolás CSV-ként',
  rowsCopied: (rows) => `${integer(rows)} sor másolva`,
  clipboardRefused: 'A vágólap le van tiltva. Jelölje ki a táblázatot, és másolja kézzel.',
  moreRows: (visible, all) => `További sorok (${integer(visible)} / ${integer(all)})`,
  asTable: 'számok táblázatban',
  seconds: (value) => `${value} s`,
  milliseconds: (value) => `${value} ms`,
  attention: {
    name: 'figyelem',
    kinds: {
      softmax: 'softmax',
      linear: 'lineáris (19. egyenlet)',
      linear_rotate_first: 'lineáris, előbb forgatva',
    },
    hints: {
      softmax: 'A súlyok a pontszámok softmaxa.',
      linear:
        'A cikk lineáris figyelme: a lekérdezések és kulcsok φ(x) = elu(x) + 1 értéke, utána a forgatás, egy nem forgatott összeggel osztva. A súlyok negatívak is lehetnek, és összegük nem 1. A pontszámok csak a távolságoktól függnek.',
      linear_rotate_first:
        'Elterjedt változat, nem a cikké: a forgatás megelőzi a φ-t. Pontszámai attól függnek, hol kezdődik a szöveg: tolja el az összes pozíciót, és látni fogja.',
    },
  },
  loading: {
    label: 'Modell',
    initializing: (name) => `${name}: letöltve. Előkészítés…`,
    loading: (name) => `${name} betöltése:`,
    bytes: (loaded, total) => (total === undefined ? loaded : `${loaded} / ${total}`),
    progress: (name) => `${name} betöltése`,
    meanwhile: 'Az Olvasmányhoz nem kellenek súlyok: a forgatásos pozícióbeágyazás tíz fejezetben.',
    cancel: 'Mégse',
    notRunning: 'A motor nem fut. A szövege megmarad.',
    start: 'A motor indítása',
    running: 'A szöveg fut…',
    none: 'Nincs betöltött modell. Az Olvasmányhoz nem is kell.',
    load: 'A modell betöltése',
  },
  keyNames: {
    across: '← →',
    along: '↑ ↓',
    ends: 'Home, End',
    pages: 'Page Up, Page Down',
    take: 'szóköz, Enter',
    leave: 'Escape',
    heads: '[ ]',
    layers: '{ }',
    query: 'q',
    key: 'k',
    mask: 'm',
    compare: 'b',
    undo: 'Ctrl+Z',
    redo: 'Ctrl+Shift+Z',
    keys: '?',
    wheel: 'görgő',
    drag: 'húzás',
    hold: 'hosszú érintés',
    pinch: 'két ujj',
  },
} satisfies Messages
