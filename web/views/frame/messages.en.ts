import { messages } from '../../i18n/messages.svelte'
import { integer, plural, headName } from '../../i18n/numbers'

const en = {
  more: 'more',
  share: 'Share',
  shared: 'Link copied',
  figure: {
    word: 'Figure',
    form: 'Size',
    forms: { column: 'one column', page: 'two columns', slide: 'slide' },
    files: { svg: 'SVG', pdf: 'PDF', png: 'PNG' },
    crosshair: 'crosshair',
    caption: 'caption',
    size: (width: number, height: number, dots: number) =>
      `${integer(width)} × ${integer(height)} mm; PNG with ${integer(dots)} dots per inch`,
    stale: 'The text or a choice has changed. You can save the figure as soon as the new result is there.',
    pdf: 'PDF opens the print dialog: choose “Save as PDF”.',
  },
  /** Of an encoder–decoder, in a caption. */
  parts: { encoder: 'encoder', decoder: 'decoder', cross: 'cross-attention' },
  /** A text in a caption. */
  quoted: (text: string) => `“${text}”`,
  largestParts: 'Largest parts:',
  explain: {
    menu: 'Where its number comes from',
    word: 'Explain',
    help: (site: string) => `Where ${site} comes from`,
    keys: 'The key e, or a double click, shows where the selected number comes from.',
  },
  embed: {
    word: 'Embed',
    title: (layer: number, head: number) => `Embed the map of ${headName({ layer, head })} in another page`,
    element: 'As an element of HTML',
    script: 'As JavaScript, in a module',
    unchanged: (change: string) => `The snippets run the unchanged model, without these interventions: ${change}.`,
    folder: (folder: string) => `Your files have no address: put their folder beside your page, as ${folder}`,
    /** Why there is no snippet. */
    obstacles: (most: number) => ({
      random: 'No snippet: this page drew the model’s weights at random, so another page cannot load them.',
      files:
        'No snippet: from an address the package reads model.safetensors alone. This model’s weights are in other files.',
      words:
        'No snippet: this model needs Chinese text cut into words. Give the package a function for that: its README describes cutWords.',
      length: `No snippet: this text is longer than the ${integer(most)} tokens that the package reads with this model.`,
      text: 'No snippet: the text is empty.',
    }),
    shortened: (tokens: number) =>
      `The text is too long for this model. The snippets have the part that the page reads: ${plural(tokens, { one: 'the first token', other: `the first ${integer(tokens)} tokens` })}.`,
    sizes: (engine: number, element: number, shaders: number) =>
      `A visitor fetches ${integer(engine)} kB of engine and ${integer(element)} kB of element, both packed, ${integer(shaders)} kB of shaders where there is WebGPU, and the model.`,
    noSizes: 'The folder embed/ of this page could not be read, so its sizes are unknown.',
    limits:
      'A model too large for the visitor’s memory is refused by its header, before its weights are fetched. To make a model smaller, write weights="int8" or "int4" on the element, or load(…, { weights: \'int8\' }) in JavaScript.',
    threads:
      'On the CPU the engine uses several threads if your server sends Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.',
    origin:
      'A browser starts workers of a page’s own origin only. On another site, put these files beside your page with the model’s folder, and write their addresses there:',
  },
  /** A word at a view's title, for who hears it without the title. */
  of: (word: string, title: string) => `${word}: ${title}`,
  formula: 'Formula and source',
  numbers: 'Numbers',
  keys: 'Keys',
  allKeys: 'The key ? lists all.',
  export: 'Save or copy',
  csv: 'CSV',
  json: 'JSON',
  everything: {
    make: 'Download all activations (.safetensors)',
    running: 'Running the text again, to keep all activations…',
    saved: (command: string) => `Saved. On the command line: ${command}`,
  },
  command: 'Reproduce on the command line',
  copy: 'Copy',
  copied: 'Copied.',
  copyByHand: 'Clipboard blocked. Select and copy:',
  failed: (what: string) => `The browser could not make the ${what} file. Try another format.`,
  close: (title: string) => `Close ${title}`,
  loading: 'Loading…',
  broken: 'This view could not be fetched. Check the connection, then try again.',
  /** @param word that was pressed */
  sheetBroken: (word: string) => `The dialog could not be fetched. Check the connection, then press “${word}” again.`,
  again: 'Try again',
  needsRun: 'Appears with the first result.',
  needsModel: 'No model is loaded. Open one under Models.',
  clamped: (clamp: number) =>
    `Distances are clamped to ${integer(clamp)} in this run. Scores of tokens further apart are drawn without the clamp, so they differ from the model’s.`,
  nothingTurns: 'Not available: this model adds positions to its embeddings, so queries and keys do not rotate.',
  notServed: 'Not available for this model.',
  instead: 'Show the attention map instead',
  turning: (pairs: number, context: number) =>
    `Until the first result: how ${integer(pairs)} frequency pairs rotate, each by its own angle per token. Shaded: the rotation within ${integer(context)} tokens. Number: tokens per turn.`,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
