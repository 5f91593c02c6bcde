import { integer } from '../numbers'

export const frame = {
  more: 'more',
  formula: 'Formula and source',
  numbers: 'Numbers',
  keys: 'Keys',
  export: 'Save or copy',
  png: (scale: number) => `PNG, ${scale} ×`,
  svg: 'SVG',
  csv: 'CSV',
  json: 'JSON',
  everything: {
    make: 'All taps, safetensors',
    coming: 'Running the text for all of its taps …',
    saved: (command: string) => `Saved. The same as a command: ${command}`,
    overtaken: 'Another text came in between. Press again.',
  },
  link: 'Copy the link',
  command: 'The same as a command',
  copy: 'Copy',
  copied: 'Copied.',
  copyByHand: 'The browser allowed no copying. Select it and copy it:',
  failed: (what: string) => `The browser made no ${what}. Try another format.`,
  pin: 'Keep open beside others',
  close: (title: string) => `Close ${title}`,
  loading: 'On its way …',
  broken: 'This view could not be fetched. Check the connection, then try again.',
  again: 'Try again',
  needsRun: 'Appears with the first result.',
  needsModel: 'This runs a model, and none is loaded: open one under Models.',
  clamped: (reach: number) =>
    `In this run distances are clamped to ${integer(reach)}. Scores of tokens further apart stand here as if they were not: they are not the model’s.`,
  nothingTurns:
    'This model adds positions to its embeddings: no query or key turns, and there is nothing to show here.',
  notServed: 'This model has nothing that this view could show.',
}
