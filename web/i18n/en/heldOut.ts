import { integer } from '../numbers'

/** Why held-out.json cannot be measured on; the reasons go on where the file's name ends. */
export const heldOut = {
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
}
