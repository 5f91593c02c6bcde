import type { KeyGroup } from './keys'
import { messages } from '../i18n/messages.svelte'
import { integer } from '../i18n/numbers'

const en = {
  colours: 'Colours: weight 0 is the card’s own colour, 1 the strongest, by the square root',
  /** Of a part of the page that is fetched when it is opened. */
  part: {
    loading: 'Loading…',
    broken: 'This part of the page could not be fetched. Check the connection, then try again.',
    again: 'Try again',
  },
  close: 'Close',
  formula: 'formula',
  copyCsv: 'Copy as CSV',
  rowsCopied: (rows: number) => `${integer(rows)} rows copied`,
  clipboardRefused: 'Clipboard blocked. Select the table and copy it by hand.',
  moreRows: (visible: number, all: number) => `Show more rows (${integer(visible)} of ${integer(all)})`,
  asTable: 'numbers as a table',
  loading: {
    label: 'Model',
    initializing: (name: string) => `${name}: downloaded. Initialising…`,
    loading: (name: string) => `Loading ${name}:`,
    bytes: (loaded: string, total: string | undefined) => (total === undefined ? loaded : `${loaded} of ${total}`),
    progress: (name: string) => `Loading ${name}`,
    meanwhile: 'While you wait: Read explains RoPE in ten chapters. It needs no model',
    cancel: 'Cancel',
    notRunning: 'The engine is not running. Your text stays.',
    start: 'Start the engine',
    running: 'Running the text…',
    none: 'No model is loaded. Read needs none.',
    load: 'Load the model',
  },
  keyNames: {
    across: '← →',
    along: '↑ ↓',
    ends: 'Home, End',
    pages: 'Page Up, Page Down',
    take: 'Space, Enter',
    leave: 'Escape',
    heads: '[ ] p n',
    layers: '{ } P N',
    query: 'q',
    key: 'k',
    mask: 'm',
    explain: 'e',
    compare: 'b',
    figure: 'f',
    undo: 'Ctrl+Z',
    redo: 'Ctrl+Shift+Z',
    keys: '?',
    wheel: 'wheel',
    drag: 'drag',
    hold: 'long press',
    twice: 'double click',
    pinch: 'two fingers',
  } satisfies Record<KeyGroup, string>,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
