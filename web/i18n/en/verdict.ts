export const verdict = {
  label: 'What the model says',
  whole: 'The text as a whole',
  tokens: 'Each token',
  answer: 'The answer',
  span: (start: string, end: string) => `starts at ${start}, ends at ${end}`,
}
