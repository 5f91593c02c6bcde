import { key, query, sentence, type Sentence } from '../rich'

/** What is said at a step: measured on roformer-english and the tour's text, and compared with the page by a test. */
interface Said {
  title: string
  text: Sentence
}

const looked = query('looked 9')
const and = key('and 8')

export const tour = {
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
      text: sentence`In the map a row is a token that looks, a column one that is looked at, and the shade is the weight it gets. In head 2.6 all 21 tokens that have one before them give it their largest weight, 0.75 on average.`,
    },
    score: {
      title: 'Why',
      text: sentence`${looked} gives ${and} 0.77 of its weight for a score of 12.21, a sum with one part for each frequency pair. Swept over all distances, the same query and key score highest one token back.`,
    },
    mute: {
      title: 'Four pairs cut out',
      text: sentence`Now the four fastest of its 16 pairs are cut out of the score, and the model has run again. What ${looked} gives ${and} falls from 0.77 to 0.063.`,
    },
    distance: {
      title: 'Predicted',
      text: sentence`With all pairs again: the line is predicted from the mean query and key of this head alone. It puts 0.81 of the weight one token back, and 0.75 is measured there.`,
    },
  } satisfies Record<string, Said>,
}
