import { messages } from '../i18n/messages.svelte'
import { integer } from '../i18n/numbers'

const again = 'Create it again with ropescope heads, or remove it.'

const en = {
  /** Why heads.json cannot be used. */
  describedHeads: {
    noJson: `heads.json is not JSON. ${again}`,
    others: (layers: number, heads: number) =>
      `heads.json does not describe the ${integer(layers)} × ${integer(heads)} heads of this model. ${again}`,
    book: 'held-out text',
  },
  /** Why held-out.json cannot be used; the reasons follow the file's name. */
  heldOut: {
    unreadable: (file: string, why: string) =>
      `${file} ${why}. Create it again with training/held_out.py, or remove it.`,
    noJson: 'is not JSON',
    noRows: 'does not give the number of rows and of tokens per row',
    tooLong: (tokens: number, most: number) =>
      `has rows of ${integer(tokens)} tokens, but this model reads ${integer(most)} at most`,
    noBits: 'does not give the number of bits per token',
    tooShort: 'has fewer tokens than it says',
    noSpecial: 'does not name its special tokens',
    unknownTokens: 'has tokens that this model does not have',
    noMasks: 'masks no token',
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
