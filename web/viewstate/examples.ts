import type { ModelInfo } from '../engine/protocol/protocol'
import type { Choice } from './choice'

/** Names and descriptions are in the messages of the Explorer. */
export type ExampleId =
  | 'oneBack'
  | 'near'
  | 'far'
  | 'repeated'
  | 'paragraph'
  | 'story'
  | 'phraseAgain'
  | 'yearHu'
  | 'yearKo'
  | 'dateEn'
  | 'numberHu'
  | 'protein'
  | 'park'

/** The fields of an example that say what is selected. */
export const places = ['layer', 'head', 'query', 'key'] as const

/** A text with a selection. A model with fewer layers or heads selects its last ones. */
export interface Example extends Pick<Choice, 'text' | (typeof places)[number]> {
  id: ExampleId
  /** The kind of models that it suits. */
  for: 'masks' | 'writing' | 'any' | 'numbers' | 'proteins' | 'chinese'
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
    layer: 1,
    head: 7,
    query: 9,
    key: 8,
  },
  {
    id: 'phraseAgain',
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
  {
    id: 'protein',
    for: 'proteins',
    // Of the sperm whale. The two histidines on either side of its iron: 29 residues apart, and close in space.
    text: 'MVLSEGEWQLVLHVWAKVEADVAGHGQDILIRLFKSHPETLEKFDRFKHLKTEAEMKASEDLKKHGVTVLTALGAILKKKGHHEAELKPLAQSHATKHKIPIKYLEFISEAIIHVLHSRHPGDFGADAQGAMNKALELFRKDIAAKYKELGYQG',
    layer: 5,
    head: 0,
    query: 94,
    key: 65,
  },
  {
    id: 'park',
    for: 'chinese',
    text: '今天[MASK]很好，我[MASK]去公园玩。',
    layer: 2,
    head: 0,
    query: 3,
    key: 2,
  },
]

/** Features of a model that decide which examples it opens on. */
type ModelFeatures = Pick<ModelInfo, 'name' | 'architecture' | 'is_decoder' | 'predicts_tokens' | 'encoder'>

/** The kind of text that this model reads; undefined: no special one is known. */
function subjectOf({
  name,
  architecture,
  is_decoder,
  predicts_tokens,
  encoder,
}: ModelFeatures): Example['for'] | undefined {
  // The language of other encoder–decoders is unknown.
  if (encoder) return name === 'marian-numbers' ? 'numbers' : undefined
  if (architecture.startsWith('Esm')) return 'proteins'
  // No config.json names the language of its texts.
  if (/chinese/i.test(name)) return 'chinese'
  if (is_decoder) return predicts_tokens ? 'writing' : undefined
  return 'masks'
}

/** The examples that suit this model, the most special first; without a model the English ones. */
export function examplesOf(model: ModelFeatures | undefined): readonly Example[] {
  if (!model) return examples.filter((example) => ['masks', 'writing', 'any'].includes(example.for))
  const subject = subjectOf(model)
  const readsEnglish = subject === undefined || subject === 'masks' || subject === 'writing'
  return examples.filter((example) => example.for === subject || (readsEnglish && example.for === 'any'))
}

/** The model's first example, if the text is another example; else undefined. */
export function betterExample(text: string, model: ModelFeatures): Example | undefined {
  const offered = examplesOf(model)
  const first = offered.find((example) => example.for !== 'any') ?? offered[0]
  return text !== first?.text && examples.some((example) => example.text === text) ? first : undefined
}
