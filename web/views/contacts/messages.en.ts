import { messages } from '../../i18n/messages.svelte'
import { integer, plural, percent } from '../../i18n/numbers'

const residue = (text: string, position: number) => `${text} ${integer(position)}`

const en = {
  help: 'What a protein model’s attention tells about the shape of the protein: which residues touch, however far apart they are in the chain.',
  source:
    'Rao et al. (2020, bioRxiv 2020.12.15.422761), as in Hugging Face’s ESM: a logistic regression over the maps of all heads, each made symmetric and corrected by the average product of its sums. Its weights are the file’s own, fitted to structures in which a contact is two residues at most 8 Å apart. The first and the last token are left out. Neighbours in the chain are always close: lists leave out pairs that are less than 6 apart.',
  residue,
  axis: 'residue',
  likeliest: (name: string) => `contacts of ${name}`,
  none: 'no residue is 6 or more away',
  tooLong: (most: number, tokens: number) =>
    `Contacts are computed for texts of up to ${integer(most)} tokens; this one has ${integer(tokens)}.`,
  tooShort: 'A contact needs two residues: write a longer protein.',
  loading: 'Reading all maps…',

  label: (one: string, other: string) =>
    `Map of contacts. Arrow keys move along both residues; now it shows ${one} and ${other}.`,
  moved: (one: string, other: string, probability: number) =>
    `${one} and ${other}: contact probability ${percent(probability)}`,
  headline: (one: string, other: string, probability: number, distance: number) =>
    `${one} and ${other} are the likeliest contact (${percent(probability)}), ${integer(distance)} residues apart in the chain.`,
  alone: 'No two residues are 6 or more apart in the chain.',
  line: (count: number) =>
    count === 0
      ? 'No pair that is 6 or more apart is likelier to touch than not.'
      : `${integer(count)} ${plural(count, { one: 'pair that is 6 or more apart is', other: 'pairs that are 6 or more apart are' })} likelier to touch than not.`,

  tables: { contacts: 'contacts', pairs: 'pairs' },
  corner: 'residue',
  pairColumns: ['residue', 'other residue', 'apart', 'probability'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
