import { integer } from '../numbers'

const again = 'Write it anew with ropescope heads, or remove it.'

/** What heads.json was measured on, and why it says nothing of the heads. */
export const describedHeads = {
  /** A text without a name. */
  book: 'held-out text',
  noJson: `heads.json is not JSON. ${again}`,
  others: (layers: number, heads: number) =>
    `heads.json does not describe the ${integer(layers)} × ${integer(heads)} heads of this model. ${again}`,
}
