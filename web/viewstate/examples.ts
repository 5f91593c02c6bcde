import type { ModelInfo } from '../engine/protocol/protocol'
import type { Words } from '../i18n/words'
import type { Choice } from './choice'

/** A text to begin with, and where to look. A model with fewer layers or heads shows its last ones. */
export interface Example extends Pick<Choice, 'text' | 'layer' | 'head' | 'query' | 'key'> {
  /** Its name and what it is good for are in the words. */
  id: keyof Words['examples']
  /** For which models: those that fill masks, those that write on, any of both, or the one that writes numbers out. */
  for: 'masks' | 'writing' | 'any' | 'numbers'
}

export const examples: readonly [Example, ...Example[]] = [
  {
    id: 'oneBack',
    for: 'masks',
    text: 'The little dog sat on the [MASK] and looked at the door, because he wanted to go out.',
    layer: 2,
    head: 6,
    query: 9,
    key: 8,
  },
  {
    id: 'near',
    for: 'any',
    text: 'He wrote a book about deep learning, and it was read by many people.',
    layer: 3,
    head: 4,
    query: 7,
    key: 6,
  },
  {
    id: 'far',
    for: 'any',
    text: 'The ship lay in the deep ocean, and the boys on it spent the day in learning how to sail.',
    layer: 3,
    head: 4,
    query: 18,
    key: 6,
  },
  {
    id: 'repeated',
    for: 'masks',
    text: 'The cat sat by the fire, the dog sat by the fire, and the old man sat by the [MASK].',
    layer: 3,
    head: 5,
    query: 22,
    key: 13,
  },
  {
    id: 'paragraph',
    for: 'masks',
    text: 'It was late in the autumn when the old captain came back to the village. He had been away for many years, and there were few who remembered his face. The house by the river was empty, the garden was full of weeds, and the little gate hung from one hinge. He stood before it for a long time, with his hat in his hand, and did not go in. A boy who was driving the cows home stopped to look at him. "Do you know who lived here?" asked the [MASK]. "Nobody lives there," said the boy; "my mother says that a sailor had it once, and that he went away and never wrote a letter." The old man smiled. "He wrote a great many letters," he said, "but he never sent them." Then he opened the gate, and walked slowly up the path to the [MASK], and the boy heard the key turn in the lock. That night there was a light in the window, and the next morning there was smoke above the roof.',
    layer: 2,
    head: 5,
    query: 108,
    key: 109,
  },
  {
    id: 'story',
    for: 'writing',
    text: 'The old man opened the door, looked at the boy, and said:',
    layer: 2,
    head: 6,
    query: 9,
    key: 8,
  },
  {
    id: 'begunAgain',
    for: 'writing',
    text: 'The cat sat by the fire, the dog sat by the fire, and the old man sat by the',
    layer: 3,
    head: 5,
    query: 20,
    key: 13,
  },
  {
    id: 'yearHu',
    for: 'numbers',
    text: '>>hu<<1984\tezerkilencszáznyolcvannégy',
    layer: 1,
    head: 0,
    query: 10,
    key: 4,
  },
  {
    id: 'yearKo',
    for: 'numbers',
    text: '>>ko<<1984\t천구백팔십사',
    layer: 1,
    head: 0,
    query: 8,
    key: 2,
  },
  {
    id: 'dateEn',
    for: 'numbers',
    text: '>>en<<1984-03-15\tMarch fifteenth, nineteen eighty-four',
    layer: 1,
    head: 0,
    query: 12,
    key: 7,
  },
  {
    id: 'numberHu',
    for: 'numbers',
    text: '>>hu<<709365',
    layer: 1,
    head: 0,
    query: 8,
    key: 1,
  },
]

/** The bundled model that writes numbers out: other encoder–decoders read another form of text. */
const writesNumbers = 'marian-numbers'

/** What an example's place depends on. */
type Kind = Pick<ModelInfo, 'name' | 'is_decoder' | 'predicts_tokens' | 'encoder'>

/** The examples that this kind of model can do something with; all that are text before one is there. */
export function examplesOf(model: Kind | undefined): readonly Example[] {
  if (!model) return examples.filter((example) => example.for !== 'numbers')
  if (model.encoder) return examples.filter((example) => example.for === 'numbers' && model.name === writesNumbers)
  const kind = model.is_decoder && model.predicts_tokens ? 'writing' : 'masks'
  return examples.filter((example) => example.for === 'any' || example.for === kind)
}

/** Of this kind of model, in place of an example that is of another kind; undefined where a text is none. */
export function betterExample(text: string, model: Kind): Example | undefined {
  const offered = examplesOf(model)
  const unfit = examples.some((example) => example.text === text) && !offered.some((example) => example.text === text)
  return unfit ? offered.find((example) => example.for !== 'any') : undefined
}
