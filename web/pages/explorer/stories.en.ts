import type { ExampleId } from '../../viewstate/examples'
import { messages } from '../../i18n/messages.svelte'
import { key, query, sentence, type Sentence } from '../../i18n/rich'

/** A step's text. Its numbers are measured on roformer-english and the tour's text; a test compares them with the page. */
interface Step {
  title: string
  text: Sentence
}

const looked = query('looked 9')
const and = key('and 8')

const tour = {
  offer: 'Take the tour',
  offered: 'Four steps over this screen. Closing it puts back what is here now.',
  label: 'Tour',
  place: (step: number, all: number) => `step ${step} of ${all}`,
  back: 'Back',
  next: 'Next',
  close: 'Close',
  steps: {
    map: {
      title: 'One token back',
      text: sentence`In the map a row is a token that looks, a column one that is looked at, and the shade is the weight it gets. In head L2·H6 all 21 tokens that have one before them give it their largest weight, 0.75 on average.`,
    },
    score: {
      title: 'Why',
      text: sentence`${looked} gives ${and} 0.77 of its weight for a score of 12.21, a sum with one part for each frequency pair. Swept over all distances, the same query and key score highest one token back.`,
    },
    mute: {
      title: 'Four pairs ablated',
      text: sentence`Now the four fastest of its 16 pairs are ablated, left out of the score, and the model has run again. What ${looked} gives ${and} falls from 0.77 to 0.063.`,
    },
    distance: {
      title: 'Predicted',
      text: sentence`With all pairs again: the line is predicted from the mean query and key of this head alone. It puts 0.81 of the weight one token back, and 0.75 is measured there.`,
    },
  } satisfies Record<string, Step>,
}

/** Each example's name and purpose. It names no head: another model would not have it. */
const examples: Readonly<Record<ExampleId, { name: string; look: string }>> = {
  oneBack: {
    name: 'One token back',
    look: 'A word to guess, and a sentence short enough to read every row of its maps.',
  },
  near: {
    name: 'Deep Learning',
    look: '“deep” stands right before “learning”: see what a head gives it, then take the next example.',
  },
  far: {
    name: 'Deep ocean',
    look: 'The same two words, twelve tokens apart: another rotation, another score.',
  },
  repeated: {
    name: 'A phrase repeated',
    look: 'The masked word has stood in the same place twice before: see whether a head looks back at both.',
  },
  paragraph: {
    name: 'A long paragraph',
    look: 'About 200 tokens: compare which maps stay beside the diagonal, and which spread over the text.',
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
    look: 'The month is written first and stands in the middle: the heads do not go from left to right.',
  },
  numberHu: {
    name: 'A long number, not yet written',
    look: 'Nothing stands after the source: let the model write, and watch each new row.',
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

export const t = messages({ tour, examples }, import.meta.glob('./stories.{ko,hu}.ts'))
