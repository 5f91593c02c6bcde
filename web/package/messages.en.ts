/** What the npm package says to the developer who uses it. */
export const messages = {
  noMask: (name: string) =>
    `${name} predicts no masked tokens: it has no mask token, or no vocabulary head. Use generate() where it writes on, or run().`,
  noMaskInText: (mask: string) => `The text holds no ${mask}. Write ${mask} where the model is to predict a token.`,
  writesNothing: (name: string) =>
    `${name} does not write on: it is no language model that writes. Use fillMask() where it has a mask token, or run().`,
  noSource: (name: string) => `${name} is no encoder–decoder: it reads no source. Give it the text alone.`,
  noBeams: (name: string) => `${name} is no encoder–decoder: only those search a text by beams. Leave numBeams out.`,
  tooLong: (most: number, tokens: number) =>
    `The text has ${tokens} tokens, and the model reads ${most} at most. Give it a shorter one.`,
  noCutWords: (name: string) =>
    `${name} reads Chinese by the word: give load() a function cutWords that cuts a text into words, such as jieba’s cut.`,
  noText: 'The text has no tokens. Give the model a text.',
  noSuchTap: (tap: string, taps: string) => `There is no tap ${tap}; there are ${taps}.`,
  noSuchHead: (layer: number, head: number, layers: number, heads: number) =>
    `There is no layer ${layer} head ${head}: layers are 0 to ${layers - 1}, heads 0 to ${heads - 1}.`,
  noRun: 'Nothing has run yet: paint() shows the last run() of this model.',
  noRowsToPool: 'The model gives no hidden states, so there is nothing to pool.',
  disposed: 'The model was disposed of. Load it again.',
  badFile: (why: string) => `The engine’s answer is no safetensors file (${why}). Please report it.`,
  noContext: 'The canvas gives no 2D context: it has another one already. Give paint() a canvas of its own.',
  notFolder: (path: string, why: string) => `${path} is no folder that can be read (${why}).`,
}

/** The custom element's messages. Those of the map are the page's. */
export const elementMessages = {
  loading: 'Loading the model…',
  running: 'Running the text…',
  runs: (name: string, backend: 'gpu' | 'cpu') => `${name} on the ${backend.toUpperCase()}`,
  noModel: 'There is no attribute model: give it the address of a model’s folder, or hub:owner/name.',
  noText: 'There is no attribute text: give it what the model is to read.',
  noNumber: (name: string, value: string) => `The attribute ${name} is ${value}: give it a whole number from 0 on.`,
  noBackend: (value: string, there: string) => `The attribute backend is ${value}: there are ${there}.`,
  noWeights: (value: string, there: string) => `The attribute weights is ${value}: there are ${there}.`,
  noPart: (value: string, there: string) => `The attribute part is ${value}: there are ${there}.`,
  failed: (why: string) => `The map cannot be shown: ${why}`,
}
