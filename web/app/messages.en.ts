import type { KeyWords } from '../ui/keys'
import { messages } from '../i18n/messages.svelte'
import { integer, list, plural } from '../i18n/numbers'

const en = {
  home: 'ropescope, to the Explorer',
  pages: 'Pages',
  page: { explorer: 'Explorer', read: 'Read', models: 'Models', about: 'About' },
  language: 'Language',
  skip: 'Skip to the content',
  skipToViews: 'Skip to the views',
  loading: 'Loading…',
  pageBroken: 'This page could not be fetched. Check the connection, then try again.',
  again: 'Try again',
  dismiss: 'Dismiss',
  dismissIt: (title: string) => `Dismiss: ${title}`,
  copied: 'Copied.',
  privacy: 'ropescope runs in this browser: your texts and your models never leave this machine. MIT or Apache 2.0.',
  hubBroken: 'The code for models of the hub could not be fetched',
  missingModel: {
    title: (name: string) =>
      name === ''
        ? 'The sender made this link with a model of their own, which the link does not name.'
        : `This link was made with “${name}”, a model that does not come with this page.`,
    text: 'Its text, head and views wait for it: open the model’s folder, or look at a model of this page instead.',
    open: 'Open its folder',
    instead: (model: string) => `Look at ${model} instead`,
  },
  /** Read aloud after the key that selects it. */
  comparesWith: (layer: number, head: number) => `Comparing with layer ${layer} head ${head}.`,

  model: 'Model',
  noModel: 'no model',
  sizes: (layers: number, heads: number) => `${integer(layers)} layers × ${integer(heads)} heads`,
  ownModel: 'Open your own…',

  engine: 'Engine',
  notRunning: 'stopped',
  starting: 'starting…',
  seconds: (value: string) => `${value} s`,
  milliseconds: (value: string) => `${value} ms`,
  took: (time: string) => `${time} from submit to result`,
  dispatches: (count: number) => `${integer(count)} ${plural(count, { one: 'dispatch', other: 'dispatches' })}`,
  bytes: (allocated: string, read: string) => `${allocated} allocated, ${read} read back`,
  backendLabel: 'Backend',
  backend: {
    auto: { text: 'Auto', hint: 'The GPU where there is a hardware adapter, else the CPU' },
    gpu: { text: 'GPU', hint: 'WebGPU, on a software adapter, too' },
    cpu: { text: 'CPU', hint: 'WebAssembly' },
  },
  /** Where the GPU's adapter is software. */
  useCpu: 'Use the CPU',
  weightsLabel: 'Weights',
  weights: {
    auto: { text: 'Auto', hint: 'f32 where the model is small, else the most exact format that fits into memory' },
    f32: { text: 'f32', hint: '4 bytes per weight' },
    f16: { text: 'f16', hint: '2 bytes per weight, 11 significant bits' },
    bf16: { text: 'bf16', hint: '2 bytes per weight, 8 significant bits' },
    int8: { text: 'int8', hint: '8-bit, one scale per block of 32 (≈ 1 byte per weight)' },
    int4: { text: 'int4', hint: '4-bit, one scale per block of 32 (≈ ½ byte per weight)' },
    stored: { text: 'as stored', hint: 'The format of the file' },
  },
  weightsIn: (format: string, bytes: string) => `Matrices in memory: ${format}, ${bytes} of weights`,
  useThreads: (count: number) => `Use ${integer(count)} threads (reloads the page once)`,
  useOne: 'Use one thread (reloads the page once)',
  /** Of a menu in little space: theme, undo, redo and keys. */
  controls: 'Theme, undo and keys',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  undo: 'Undo',
  redo: 'Redo',
  keysButton: 'List of keys',
  report: 'Copy report',
  restart: 'Restart engine',
  byHand: 'Clipboard blocked. Select the report and copy it:',
  source: 'Source code and command line',
  /** The link to the documentation, which is in English. */
  docs: 'Documentation',

  offline: {
    title: 'Offline',
    unavailable: 'No offline copy: the browser allows one only for pages on https.',
    starting: 'After the first result, the page and its model are stored on this machine.',
    removed: 'Nothing is stored on this machine.',
    stored: (bytes: string, models: readonly string[], all: boolean) =>
      `${bytes} stored on this machine: ${all ? 'the page and all its models' : list(['the page', ...models])} ${plural(models.length + 1, { one: 'works', other: 'work' })} offline.`,
    lost: 'The browser evicted the offline copy.',
    storeAll: (bytes: string | undefined) => `Store everything for offline use${bytes ? ` (${bytes} more)` : ''}`,
    progress: 'Stored so far',
    bytes: (loaded: string, total: string) => `${loaded} of ${total}`,
    remove: 'Remove the offline copy',
    failed: (reason: string) => `Storing failed (${reason}).`,
    newer:
      'A newer version of this page is ready. It starts when all tabs of this one are closed, or now: this tab loses its steps to undo, its measurements and a model that was opened from files; other tabs ask before they lose such things.',
    useNewer: 'Reload all tabs',
    tookOver: {
      title: 'Another tab has changed to a newer version of this page',
      text: (losses: readonly string[]) =>
        `This tab still runs the older one, and some of its parts may no longer open. Reload it when you are done: the text stays, but a reload loses ${list(losses)}.`,
      reload: 'Reload this tab',
    },
    unsaved: {
      files: 'the model that you opened from files',
      writing: 'the continuation in progress',
      losses: 'the measured losses',
      undo: 'the steps to undo',
    },
  },

  keys: {
    title: 'Keys',
    lead: 'Keys of the open views. Tab moves from one to the next.',
    characters:
      'Single-character shortcuts, such as ? n p b. Without them, arrows, Escape and keys with Ctrl or ⌘ still work.',
    everywhere: 'Everywhere',
    page: {
      undo: 'undoes the last choice or typed word',
      redo: 'redoes it',
      keys: 'opens this list',
      hold: 'shows the same as a hovering pointer, and selects nothing',
    } satisfies KeyWords,
    views: 'On the views',
    viewKeys: {
      explain: 'opens the explanation of the selected number',
      twice: 'the same for the number below the pointer',
    } satisfies KeyWords,
    heads: 'Heads',
    headKeys: {
      heads: 'the previous head, the next',
      layers: 'the same head in the previous layer, the next',
      compare: 'compares with this head',
    } satisfies KeyWords,
    grid: 'On the grid of all heads',
    gridKeys: {
      across: 'another head',
      along: 'another layer',
      ends: 'the first, the last head',
      pages: 'the first, the last layer',
    } satisfies KeyWords,
    tokens: 'On the tokens',
    tokenKeys: (canMask: boolean): KeyWords => ({
      across: 'the previous token, the next',
      ends: 'the first, the last token',
      pages: 'ten tokens back or on',
      query: 'makes it the query',
      key: 'makes it the key',
      ...(canMask ? { mask: 'masks it, or restores the word' } : {}),
    }),
    figures: 'On the figures',
    figureKeys: {
      across: 'the previous or next pair or position',
      along: 'the same, or increases and decreases',
      ends: 'the first, the last',
      figure: 'goes to the figure of this chapter',
      leave: 'deselects the pair, or returns to the text',
    } satisfies KeyWords,
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
