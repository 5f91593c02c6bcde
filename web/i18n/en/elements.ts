import { integer } from '../numbers'

export const elements = {
  colours: 'Colours: weight 0 is the card’s own colour, 1 the strongest, by the square root',
  formula: 'formula',
  copyCsv: 'Copy as CSV',
  rowsCopied: (rows: number) => `${integer(rows)} rows copied`,
  clipboardRefused: 'the browser refused the clipboard; the table can be selected and copied by hand',
  moreRows: (shown: number, all: number) => `Show more rows (${integer(shown)} of ${integer(all)})`,
  asTable: 'numbers as a table',
}
