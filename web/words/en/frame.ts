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
  clamped: (reach: number) =>
    `In this run distances are clamped to ${integer(reach)}. Scores of tokens further apart stand here as if they were not: they are not the model’s.`,
  notServed: 'This model has nothing that this view could show.',
}
