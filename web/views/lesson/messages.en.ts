import { messages } from '../../i18n/messages.svelte'
import { headName, integer, percent, plural, score } from '../../i18n/numbers'
import { key, query, sentence, token, type Sentence, type Token } from '../../i18n/rich'
import type { HeadPlace } from '../../viewstate/choice'

/** What the texts say of a model and of the part that the views show. */
export interface Facts {
  vocabulary: number
  /** Numbers of a row of the embedding matrix. */
  embedding: number
  hidden: number
  heads: number
  headSize: number
  /** Heads that share a key and a value. */
  sharing: number
  neurons: number
  /** Whether queries and keys rotate. */
  rotates: boolean
  /** Whether values rotate, too. */
  rotatesValues: boolean
  /** Whether a token sees no later one. */
  causal: boolean
  /** Of an encoder–decoder: whether queries are of the text, and keys of the source. */
  cross: boolean
  predicts: boolean
  /** Whether the text has a token that is predicted. */
  masks: boolean
}

const en = {
  help: 'The model on your text, step by step. Answer the question: then the picture moves.',
  source:
    'Every number is of this model on this text. The tower at the side is the whole model, from the embeddings below to the last layer: for each token, how long the vector is that attention and the feed-forward network of a layer add to its stream. The guess after a layer is the logit lens.',
  loading: 'Reading the model’s numbers…',
  steps: 'Step',
  back: 'Back',
  next: 'Next',
  again: 'Again',
  show: 'Show it',
  byHand: 'Move the picture',
  leave: 'More in the Explorer',
  moving: 'The picture moves…',
  done: 'You can move the picture by hand now.',
  right: 'Right.',
  wrong: 'Not right.',
  yes: 'Yes',
  no: 'No',
  names: (rotates: boolean) => [
    'Tokens',
    'Vectors',
    'Projections',
    rotates ? 'Rotation' : 'Positions',
    'Scores',
    'Softmax',
    'Values',
    'Feed-forward',
    'Guess',
  ],
  titles: (rotates: boolean) => [
    'A text becomes tokens',
    'Tokens become vectors',
    'Queries, keys and values',
    rotates ? 'Rotation tells positions' : 'Positions are added',
    'Scores: which key fits?',
    'Mask and softmax: from scores to weights',
    'Values are mixed',
    'The feed-forward network',
    'The sum of all layers becomes a guess',
  ],
  texts: {
    tokens: ({ vocabulary, predicts, causal, masks }: Facts) =>
      `A network computes with numbers, so the text must become numbers first. The vocabulary is a list of ${integer(vocabulary)} pieces of text. The tokenizer cuts the text into such pieces, called tokens, and each becomes its number in that list. The model never sees a letter.${!predicts ? '' : causal ? ' It will guess the next token.' : masks ? ' It will guess the token that the mask hides.' : ''}`,
    vectors: ({ embedding, hidden, rotates }: Facts) =>
      `Each number picks its row of the embedding matrix: ${integer(embedding)} numbers that training has found${embedding === hidden ? '' : ` (a matrix makes ${integer(hidden)} of them)`}. Tokens of similar use have similar rows. This vector begins the token’s residual stream: every layer reads from it and adds to it.${rotates ? '' : ' This model adds a vector for the position at once.'}`,
    projections: ({ heads, sharing, cross }: Facts, head: HeadPlace) =>
      `${cross ? '' : `In each layer ${integer(heads)} attention heads let tokens look at each other. `}Head ${headName(head)} multiplies each token’s normed vector by three matrices. The query says what a token looks for, the key what it is found by, the value what it gives. All ${cross ? `${integer(heads)} ` : ''}heads read the same vectors, ${sharing > 1 ? `each with its own query; ${integer(sharing)} share a key and a value.` : 'each with its own matrices.'}${cross ? ' Queries are of the text, keys and values of the source.' : ''}`,
    rotation: ({ rotatesValues }: Facts) =>
      `Attention by itself does not see order. Rotation brings it in, in each layer again: two numbers of a query or key are an arrow, which turns by the token’s position times a speed. The first pair turns fast, the last hardly. The score, our next step, compares their directions. ${rotatesValues ? 'Values turn here, too.' : 'Values and streams never turn.'}`,
    positions: () =>
      'This model rotates nothing. Each position has a vector of its own, which was added to the token’s vector at the start. From these sums the layers must find out what is near and what is far. RoPE takes another way: it turns queries and keys.',
    scores: (of: Token, { causal, cross }: Facts): Sentence =>
      sentence`The query of ${query(of)} meets the key of each ${cross ? 'token of the source' : causal ? 'token up to itself' : 'token'}. Both are multiplied number by number and added up, and scaled so that scores do not grow with the number of components. The more alike the two point, the better the key is what the query looks for.`,
    weights: ({ causal, cross }: Facts) =>
      `Softmax makes weights of scores: e to the power of each, divided by the sum of all. Weights add up to 1, so a head that looks more at one token looks less at others. ${cross ? 'All of the source is visible.' : causal ? 'Later tokens are masked, or the model would see what it must guess.' : 'Here every token may look at all before and after it.'}`,
    values: ({ heads, sharing, rotates }: Facts) =>
      `Each value times its weight, all added up: that is the head’s output. So attention carries information from token to token. A matrix makes one vector of all ${integer(heads)} heads’ outputs, which is added to the token’s stream. Heads of a layer share what they read${rotates ? ', where they write, and the rotation' : ' and where they write'}; ${sharing > 1 ? `${integer(sharing)} of them also a key and a value.` : 'nothing else.'}`,
    feedForward: ({ neurons }: Facts) =>
      `Now each token is by itself. A matrix compares its vector with ${integer(neurons)} patterns that training has found; each result is a neuron. The activation nearly silences negative ones. A second matrix makes a vector of the neurons, which is added to the token’s stream. Attention moves information; this network works on it.`,
    guess: ({ predicts, masks }: Facts) =>
      `A token’s residual stream is a sum, which norms only rescale: its embedding, and what attention and feed-forward network of every layer have added. ${predicts && !masks ? 'The output head makes probabilities of it. This text has no mask, so nothing is guessed: write one into it.' : predicts ? 'The output head compares the last sum with a vector for each token of the vocabulary, and softmax makes probabilities. Read earlier, the stream shows how the guess comes about.' : 'This part has no output head for tokens: its last sums are what others go on with.'}`,
  },
  questions: {
    tokens: 'How many tokens does this text become?',
    vectors: 'The same token at another place: does it begin with the same vector?',
    projections: (hidden: number) =>
      `A token’s vector has ${integer(hidden)} numbers. How many has its query in this head?`,
    rotation: (tokens: number) => `Both tokens move ${integer(tokens)} positions on. How does their score change?`,
    positions: 'Does the vector of a position depend on the token there?',
    scores: (of: Token): Sentence => sentence`Which key fits the query of ${query(of)} best?`,
    weights: (of: Token): Sentence => sentence`How much of the weight does ${key(of)} receive?`,
    values: (rotates: boolean): string =>
      rotates ? 'Do values turn with their positions, too?' : 'Can a value say where its token is?',
    feedForward: 'Which other tokens does this network read?',
    guess: 'From which layer on does the best guess stay the same?',
    longest: (of: Token): Sentence => sentence`What adds the longest vector to the stream of ${token(of)}?`,
  },
  options: {
    score: ['It stays', 'It grows', 'It falls'],
    read: ['None', 'Those with large weights', 'All'],
  },
  answers: {
    tokens: (tokens: number, special: number) =>
      `${plural(tokens, { one: 'One token', other: `${integer(tokens)} tokens` })}${special > 0 ? `, with ${plural(special, { one: 'one special token', other: `${integer(special)} special tokens` })} that the model needs` : ''}. A frequent word is one token, a rare one several.`,
    vectors: (rotates: boolean): string =>
      rotates
        ? 'Yes: a row belongs to a token. Where the token is, nothing says yet.'
        : 'No: the vector of its position is added at once.',
    projections: (headSize: number, heads: number) =>
      `${integer(headSize)}: each of the ${integer(heads)} heads looks for something else, in a small space of its own.`,
    rotation:
      'It stays: both arrows of a pair turn by the same angle, and only the angle between them counts. Attention depends on distances, not on places.',
    positions: 'No: it is the same in every text. The layers see the sum of both alone.',
    scores: (of: Token, value: number): Sentence => sentence`${key(of)}, with a score of ${score(value)}.`,
    weights: (part: number) => `${percent(part)}: e to the power of a score makes small differences large.`,
    values: (rotates: boolean, turns: boolean): string =>
      !rotates
        ? 'Yes: positions were added to the vectors that values are made of.'
        : turns
          ? 'Yes, in this model.'
          : 'No: rotation decides which tokens are looked at, not what is taken over from them.',
    feedForward: (of: Token, part: number): Sentence =>
      sentence`None: the same network works on each token alone. For ${token(of)}, ${percent(part, 0)} of its neurons are nearly silent.`,
    guess: (found: string, where: string): Sentence => sentence`${token(found)}: ${where}.`,
    longest: (name: string) => `${name}.`,
  },
  embedding: 'Embedding',
  afterLayer: (layer: number) => `Layer ${integer(layer)}`,
  attentionOf: (layer: number) => `Attention of layer ${integer(layer)}`,
  feedForwardOf: (layer: number) => `Feed-forward of layer ${integer(layer)}`,
  pair: (pair: number) => `Pair ${integer(pair)}`,
  turnEvery: (tokens: string) => (tokens === '∞' ? 'never turns' : `a turn in ${tokens}`),
  turnInTokens: (tokens: string) => (tokens === '∞' ? 'never turns' : `a turn in ${tokens} tokens`),
  scoreNow: (value: string) => `score ${value}`,
  rotating: 'Both turn to their own positions.',
  movedOn: (tokens: number, of: number) => `Both move on together: ${integer(tokens)} of ${integer(of)}.`,
  neuron: (neuron: number) => `neuron ${String(neuron)}`,
  masked: 'masked',
  tower: {
    top: 'output',
    bottom: 'text: a column a token',
    colours: 'stronger colour: adds more',
    rows: {
      embedding: () => 'embeddings',
      attention: (layer: number) => `attention ${integer(layer)}`,
      cross: (layer: number) => `cross-att. ${integer(layer)}`,
      feedForward: (layer: number) => `feed-fwd. ${integer(layer)}`,
    },
  },
  negative: 'negative',
  positive: 'positive',
  columns: {
    token: 'token',
    place: 'position',
    id: 'number in the vocabulary',
    word: 'row of the embedding matrix',
    position: 'vector of the position',
    stream: 'stream before this layer',
    query: 'query',
    key: 'key',
    keys: 'keys',
    rotatedKeys: 'rotated keys',
    rotatedQuery: 'rotated query',
    value: 'value',
    weighted: 'value × weight',
    score: 'score',
    weight: 'weight',
    output: 'head’s output',
    inner: 'neurons after the first matrix',
    activated: 'what the second matrix reads',
    strongest: 'the strongest',
    attention: 'attention: length',
    feedForward: 'feed-fwd.: length',
    guess: 'guess',
    probability: 'guess, probability',
    layer: 'layer',
    neuron: 'neuron',
  },
  label: (title: string, of: Token) =>
    `${title}. The picture is of ${of.text} ${of.position}. Left and right change the step; up and down the token, where tokens are listed.`,
  moved: (name: string) => name,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
