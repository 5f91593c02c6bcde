import type { ExampleId } from '../../viewstate/examples'
import { messages } from '../../i18n/messages.svelte'

/** Each example's name and purpose. It names no head: another model would not have it. */
const examples: Readonly<Record<ExampleId, { name: string; look: string }>> = {
  oneBack: {
    name: 'One token back',
    look: 'A word to guess, and a sentence short enough to read every row of its maps.',
  },
  near: {
    name: 'Deep Learning',
    look: '“deep” comes right before “learning”: see how much weight a head gives it, then take the next example.',
  },
  far: {
    name: 'Deep ocean',
    look: 'The same two words, twelve tokens apart: another rotation, another score.',
  },
  repeated: {
    name: 'A phrase repeated',
    look: 'The masked word occurred twice before in the same place: see whether a head looks back at both.',
  },
  paragraph: {
    name: 'A long paragraph',
    look: 'About 200 tokens: compare which maps stay near the diagonal, and which spread over the text.',
  },
  story: {
    name: 'A story begins',
    look: 'The text breaks off: let the model write on, and watch each new row of its maps.',
  },
  phraseAgain: {
    name: 'A phrase begun again',
    look: 'The same words a second time: see whether a head looks at what followed them before.',
  },
  yearHu: {
    name: '1984 in Hungarian',
    look: 'Each word of the number is predicted in the row before it: see which digit that row looks at.',
  },
  yearKo: {
    name: '1984 in Korean',
    look: 'The same digits, other words for the places between them.',
  },
  dateEn: {
    name: 'A date in English',
    look: 'The month is in the middle but is written first: the heads do not go from left to right.',
  },
  numberHu: {
    name: 'A long number, not yet written',
    look: 'There is no text after the source yet: let the model write, and watch each new row.',
  },
  protein: {
    name: 'Myoglobin',
    look: 'A protein, a residue a token: see whether a late head joins residues that touch in space.',
  },
  park: {
    name: 'A fine day, in Chinese',
    look: 'A character a token, two of them masked: see which neighbours each head looks at.',
  },
}

export type Messages = typeof examples
export const t = messages(examples, import.meta.glob('./exampleTexts.{ko,hu}.ts'))
