// What the view tells once it is open: fetched with it.
import { percent } from '../../format'
import { integer } from '../../numbers'

const residue = (text: string, position: number) => `${text} ${integer(position)}`

export const contacts = {
  residue,
  axis: 'residue',
  likeliest: (name: string) => `beside ${name}`,
  none: 'no residue is 6 or more away',
  tooLong: (most: number, tokens: number) =>
    `Contacts are told of texts of up to ${integer(most)} tokens; this one has ${integer(tokens)}.`,
  tooShort: 'A contact takes two residues: write a longer protein.',
  coming: 'Reading all maps …',

  label: (one: string, other: string) =>
    `Map of contacts. Arrow keys move along both residues; now it shows ${one} and ${other}.`,
  moved: (one: string, other: string, probability: number) => `${one} and ${other} touch with ${percent(probability)}`,
  headline: (one: string, other: string, probability: number, apart: number) =>
    `${one} and ${other} touch most likely, with ${percent(probability)}: they are ${integer(apart)} apart in the chain.`,
  alone: 'No two residues are 6 or more apart in the chain.',
  line: (count: number) =>
    count === 0
      ? 'No pair that is 6 or more apart is likelier to touch than not.'
      : `${integer(count)} ${count === 1 ? 'pair that is 6 or more apart is' : 'pairs that are 6 or more apart are'} likelier to touch than not.`,

  tables: { contacts: 'contacts', pairs: 'pairs' },
  corner: 'residue',
  pairColumns: ['residue', 'other residue', 'apart', 'probability'],
}
