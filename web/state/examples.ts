import type { ModelInfo } from '../engine/protocol'
import type { Choice } from './choice'

/** A text to begin with, and where to look. A model with fewer layers or heads shows its last ones. */
export interface Example extends Pick<Choice, 'text' | 'layer' | 'head' | 'query' | 'key'> {
  name: string
  /** One sentence on what the text is good for: nothing about a head that another model would not have. */
  look: string
  /** For which models: those that fill masks, those that write on, or any. */
  for: 'masks' | 'writing' | 'any'
}

export const examples: readonly [Example, ...Example[]] = [
  {
    name: 'One token back',
    look: 'A word to guess, and a sentence short enough to read every row of its maps.',
    for: 'masks',
    text: 'The little dog sat on the [MASK] and looked at the door, because he wanted to go out.',
    layer: 2,
    head: 6,
    query: 9,
    key: 8,
  },
  {
    name: 'Deep Learning',
    look: '“deep” stands right before “learning”: see what a head gives it, then take the next example.',
    for: 'any',
    text: 'He wrote a book about deep learning, and it was read by many people.',
    layer: 3,
    head: 4,
    query: 7,
    key: 6,
  },
  {
    name: 'Deep ocean',
    look: 'The same two words, twelve tokens apart: another rotation, another score.',
    for: 'any',
    text: 'The ship lay in the deep ocean, and the boys on it spent the day in learning how to sail.',
    layer: 3,
    head: 4,
    query: 18,
    key: 6,
  },
  {
    name: 'A phrase repeated',
    look: 'The masked word has stood in the same place twice before: see whether a head looks back at both.',
    for: 'masks',
    text: 'The cat sat by the fire, the dog sat by the fire, and the old man sat by the [MASK].',
    layer: 3,
    head: 5,
    query: 22,
    key: 13,
  },
  {
    name: 'A long paragraph',
    look: 'About 200 tokens: compare which maps stay beside the diagonal, and which spread over the text.',
    for: 'masks',
    text: 'It was late in the autumn when the old captain came back to the village. He had been away for many years, and there were few who remembered his face. The house by the river was empty, the garden was full of weeds, and the little gate hung from one hinge. He stood before it for a long time, with his hat in his hand, and did not go in. A boy who was driving the cows home stopped to look at him. "Do you know who lived here?" asked the [MASK]. "Nobody lives there," said the boy; "my mother says that a sailor had it once, and that he went away and never wrote a letter." The old man smiled. "He wrote a great many letters," he said, "but he never sent them." Then he opened the gate, and walked slowly up the path to the [MASK], and the boy heard the key turn in the lock. That night there was a light in the window, and the next morning there was smoke above the roof.',
    layer: 2,
    head: 5,
    query: 108,
    key: 109,
  },
  {
    name: 'A story begins',
    look: 'The text breaks off: let the model write on, and watch each new row of its maps.',
    for: 'writing',
    text: 'The old man opened the door, looked at the boy, and said:',
    layer: 2,
    head: 6,
    query: 9,
    key: 8,
  },
  {
    name: 'A phrase begun again',
    look: 'The same words a second time: see whether a head looks at what followed them before.',
    for: 'writing',
    text: 'The cat sat by the fire, the dog sat by the fire, and the old man sat by the',
    layer: 3,
    head: 5,
    query: 20,
    key: 13,
  },
]

/** The examples that this kind of model can do something with; all of them before one is there. */
export function examplesOf(model: Pick<ModelInfo, 'is_decoder' | 'predicts_tokens'> | undefined): readonly Example[] {
  if (!model) return examples
  const kind = model.is_decoder && model.predicts_tokens ? 'writing' : 'masks'
  return examples.filter((example) => example.for === 'any' || example.for === kind)
}
