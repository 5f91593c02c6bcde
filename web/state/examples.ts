import type { Choice } from './choice'

/** A text to begin with, and where to look. A model with fewer layers or heads shows its last ones. */
export interface Example extends Pick<Choice, 'text' | 'layer' | 'head' | 'query' | 'key'> {
  name: string
  /** One sentence on what to look at. */
  look: string
}

export const examples: readonly [Example, ...Example[]] = [
  {
    name: 'One token back',
    look: 'This head looks at the token before. Swept over all distances, its score peaks at exactly one.',
    text: 'The little dog sat on the [MASK] and looked at the door, because he wanted to go out.',
    layer: 2,
    head: 6,
    query: 9,
    key: 8,
  },
  {
    name: 'Deep Learning',
    look: '“deep” stands right before “learning”: see how much of its attention this head gives it, then try the next example.',
    text: 'He wrote a book about deep learning, and it was read by many people.',
    layer: 3,
    head: 4,
    query: 7,
    key: 6,
  },
  {
    name: 'Deep ocean',
    look: 'The same two words, twelve tokens apart: the same head, another rotation, another score.',
    text: 'The ship lay in the deep ocean, and the boys on it spent the day in learning how to sail.',
    layer: 3,
    head: 4,
    query: 18,
    key: 6,
  },
  {
    name: 'A phrase repeated',
    look: 'The masked word has stood in the same place twice before: see whether a head looks back at both.',
    text: 'The cat sat by the fire, the dog sat by the fire, and the old man sat by the [MASK].',
    layer: 3,
    head: 5,
    query: 22,
    key: 13,
  },
  {
    name: 'A long paragraph',
    look: 'About 200 tokens: some heads stay beside the diagonal, others spread over the whole text. Compare the thumbnails.',
    text: 'It was late in the autumn when the old captain came back to the village. He had been away for many years, and there were few who remembered his face. The house by the river was empty, the garden was full of weeds, and the little gate hung from one hinge. He stood before it for a long time, with his hat in his hand, and did not go in. A boy who was driving the cows home stopped to look at him. "Do you know who lived here?" asked the [MASK]. "Nobody lives there," said the boy; "my mother says that a sailor had it once, and that he went away and never wrote a letter." The old man smiled. "He wrote a great many letters," he said, "but he never sent them." Then he opened the gate, and walked slowly up the path to the [MASK], and the boy heard the key turn in the lock. That night there was a light in the window, and the next morning there was smoke above the roof.',
    layer: 2,
    head: 5,
    query: 108,
    key: 109,
  },
]
