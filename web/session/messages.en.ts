import { messages } from '../i18n/messages.svelte'
import { integer } from '../i18n/numbers'

const again = 'Write it anew with ropescope heads, or remove it.'

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
    unreadable: (file: string, why: string) => `${file} ${why}. Write it anew with training/held_out.py, or remove it.`,
    noJson: 'is not JSON',
    noRows: 'does not say how many rows of how many tokens it holds',
    tooLong: (tokens: number, most: number) =>
      `holds rows of ${integer(tokens)} tokens, and this model reads ${integer(most)}`,
    noBits: 'does not say how many bits a token has',
    tooShort: 'does not hold as many tokens as it says',
    noSpecial: 'does not name its special tokens',
    unknownTokens: 'holds tokens that this model does not have',
    noMasks: 'masks no token',
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
