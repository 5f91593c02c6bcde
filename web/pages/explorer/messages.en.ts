import { messages } from '../../i18n/messages.svelte'
import { integer, plural } from '../../i18n/numbers'
import { key, query, sentence, type Sentence, type Token } from '../../i18n/rich'
import type { ExampleId } from '../../viewstate/examples'
import type { PatternKind } from './headPatterns'
import { hasNoHover } from '../../ui/pointer'

const tokens = (count: number) => `${integer(count)} ${plural(count, { one: 'token', other: 'tokens' })}`

interface PatternName {
  /** As papers name it. */
  name: string
  plain: string
  /** Where the weight goes. */
  means: string
}

/** The patterns of heads by the literature's names, with plain ones. */
const patterns: Readonly<Record<PatternKind, PatternName>> = {
  previous: { name: 'Previous-token', plain: 'one back', means: 'weight on the token before' },
  next: { name: 'Next-token', plain: 'one ahead', means: 'weight on the token after' },
  first: { name: 'Attention sink', plain: 'first token', means: 'weight on the first token of the text' },
  induction: {
    name: 'Induction',
    plain: 'followed it before',
    means: 'weight on the token after an earlier occurrence of the same token',
  },
  repeated: {
    name: 'Duplicate-token',
    plain: 'same word',
    means: 'weight on other occurrences of the same token',
  },
  same: { name: 'Self', plain: 'itself', means: 'weight on the token itself' },
  special: { name: 'Special tokens', plain: 'specials', means: 'weight on special tokens, such as [CLS]' },
}

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

const en = {
  explorer: 'Explorer',
  more: 'All views',
  views: 'Views',
  panes: 'Views side by side',
  pane: (count: number) => plural(count, { one: 'one view', other: `${integer(count)} views` }),
  headsTab: 'Heads',
  otherViews: 'Other views',
  pending: 'A newer result is being computed.',

  strip: {
    name: 'The path of a text through the model',
    allHeads: 'All heads together',
    stations: {
      text: 'text',
      tokens: 'tokens',
      qk: 'q·k',
      rotate: 'rotate',
      score: 'score',
      weight: 'weight',
      value: 'value',
      feedForward: 'feed-forward',
      layers: 'layers',
      guess: 'guess',
    },
    hints: {
      text: 'The text, which you can edit',
      tokens: 'Its tokens: choose the query and the key',
      qk: 'Dot products of queries and keys, without rotation',
      rotate: 'Queries and keys rotate by their positions',
      score: 'The score of a query and a key',
      weight: 'Softmax turns the scores of a row into weights',
      value: 'What each key contributes by its value',
      feedForward: 'The feed-forward network works on each token alone',
      layers: 'How the layers change it',
      guess: 'The tokens that the model predicts',
    },
  },
  intro: {
    name: 'What this is',
    rotates: sentence`RoPE turns each word’s ${query('query')} (what it looks for) and ${key('key')} (what it is found by) by its position: how far apart two words are counts, not where they stand. Here is a real model doing it.`,
    adds: sentence`This model adds positions to its token embeddings instead of rotating ${query('queries')} and ${key('keys')}. Here is a real model reading a text: which words look at which.`,
    own: 'Use my own sentence',
    write: 'Write it',
    writeHint: 'The text is selected: type over it.',
    orExample: 'Or take an example:',
  },
  walk: {
    play: 'Watch it turn',
    help: (head: string) => `Moves the key along the text: in head ${head} the pairs rotate, and the score changes.`,
    /** Where nothing rotates. */
    search: 'Watch it search',
    searchHelp: (head: string) =>
      `The query meets one token’s key after the other: in head ${head} each has its own score. No key can move without a new run.`,
    on: '▶ Go on',
    pause: '❚❚ Pause',
    back: 'One token back',
    forth: 'One token on',
    stop: 'Stop',
    step: (step: number, of: number) => `step ${integer(step)} of ${integer(of)}`,
    cannot: 'The key cannot move here: choose another query, or a longer text.',
    searchCannot: 'No search begins here: choose another query or key, or a longer text.',
  },
  or: ' or ',

  text: 'Text',
  textHint: {
    mask: (mask: string) => `write ${mask} where the model is to predict a word`,
    writes: 'the model continues from the end of the text',
    reads: 'the model reads it',
  },
  shortened: (count: number) =>
    `Truncated to the model’s ${tokens(count)}; the rest stays in the text but does not run.`,
  unknownWords: (words: readonly string[], count: number, model: string) =>
    `${integer(count)} ${plural(count, { one: 'word is', other: 'words are' })} unknown to ${model}, which reads ${plural(count, { one: 'it', other: 'them' })} as one and the same token: ${words.join(', ')}${count > words.length ? ', …' : ''}`,
  goBeyond: 'Read on beyond that length',
  beyondMeans: 'The model was not trained for it: predictions may get worse.',
  notLinked: 'This text is too long for a link, so the link leaves it out.',
  nothingHidden: (mask: string) => `The word under this ${mask} is unknown: choose a prediction, or type one.`,
  next: 'next token',
  putIn: (token: string, share: string) => `${token}, ${share}: insert`,

  tokens: (canMask: boolean) =>
    `Tokens. Arrow keys move; q makes the query, k makes the key${canMask ? ', m masks' : ''}.`,
  tokenTitle: (position: number, id: number) => `position ${position}, id ${id}`,
  tokenName: (token: string, position: number, { query, key }: { query: boolean; key: boolean }) =>
    [token, `position ${position}`, ...(query ? ['query'] : []), ...(key ? ['key'] : [])].join(', '),
  get clickTo(): string {
    return hasNoHover() ? 'A tap sets' : 'A click sets'
  },
  click: { query: 'query', key: 'key', mask: 'mask' },
  clickHint: {
    query: 'the token that attends; q on a token does it, too',
    key: 'the token that it attends to; k on a token does it, too',
    mask: 'masks the word or restores it; m on a token does it, too',
  },
  looks: (from: Token, to: Token, weight: string): Sentence =>
    sentence`${query(from)} gives ${key(to)} ${weight} of its weight. The shade shows the weight of each token.`,
  /** The bar's short form, after it is scrolled away. */
  looking: (from: string, to: string, head: string, weight: string): Sentence =>
    sentence`${query(from)} → ${key(to)} · head ${head} · ${weight}`,
  toText: 'Back to the text',
  positions: (from: number, to: number, length: number) =>
    `positions ${integer(from)} to ${integer(to)} of ${integer(length)}`,
  ruler: (length: number) => `All ${tokens(length)}: arrow keys move the window`,

  /** For encoder–decoders. */
  pair: {
    part: 'Heads of',
    parts: { encoder: 'encoder', decoder: 'decoder', cross: 'cross' },
    partHints: {
      encoder: 'The source attends to itself.',
      decoder: 'The text attends to the earlier text.',
      cross: 'The text attends to the source: what the model reads of it while it writes each next token.',
    },
    source: 'Source',
    sourceHint: 'What the model reads',
    target: 'Text after it',
    targetHint: 'What the model writes, or you',
    beams: 'Beams',
    beamsOwn: (count: number) => `${integer(count)}, as the model says`,
    oneBeam: '1: each token sampled',
    write: 'Write',
  },
  verdict: {
    label: 'What the model says',
    sequence: 'The text as a whole',
    tokens: 'Each token',
    answer: 'The answer',
    span: (start: string, end: string) => `starts at ${start}, ends at ${end}`,
  },
  writing: {
    continue: 'Continue',
    anew: 'Write again',
    anewHint: 'removes the model’s text and writes again; Undo restores it',
    prose: 'The text as prose; what the model wrote is tinted',
    stop: 'Stop',
    takeBack: 'Take back',
    takeBackShort: 'take back',
    lastToken: 'last token',
    lastContinuation: 'last continuation',
    speed: (speed: string) => `${speed} tokens/s`,
    ended: {
      end: (count: number) => `the model ended the text after ${tokens(count)}`,
      length: (count: number) => `stopped at the limit of ${tokens(count)}`,
      stop: (count: number) => `you stopped it after ${tokens(count)}`,
    },
    sampling: 'sampling',
    likeliest: 'always the likeliest token',
    setting: {
      temperature: 'temperature',
      topK: 'top-k',
      topP: 'top-p',
      minP: 'min-p',
      repetitionPenalty: 'repetition penalty',
      maxNewTokens: 'max. new tokens',
      seed: 'seed',
    },
    zeroTemperature: '0, the likeliest',
    allTokens: 'all',
    tokens,
    anotherSeed: 'another',
    order:
      'In this order: the penalty makes tokens of the text less likely, then the temperature flattens or sharpens. Only the k likeliest stay, of those the likeliest that together have probability p, and of those the ones with at least min-p times the highest probability. The same text, settings and seed give the same continuation. A chat model continues the text as you see it, without a chat template.',
  },
  headPatterns: {
    title: 'Head patterns',
    measure: 'mean weight on this text',
    patterns,
    head: 'head',
    weight: 'weight',
    tokens,
    /** Of a row. */
    hint: ({ means }: PatternName, queries: number) => `Strongest head: ${means}, mean over ${tokens(queries)}`,
    bookHint: ({ means }: PatternName, book: string) => `Strongest head: ${means}, mean over all tokens of ${book}`,
    overBook: (book: string) => `mean over all tokens of ${book}`,
  },
  examples,
  story: {
    lessonHint: 'A whole transformer in nine steps, on this text',
    stories: 'Stories',
    label: (name: string) => `Story: ${name}`,
    place: (caption: number, all: number) => `${integer(caption)} of ${integer(all)}`,
    back: 'Back',
    next: 'Next',
    close: 'Close',
    end: 'Back to where I was',
    keys: 'Arrow keys and Enter lead on, Escape leads back to where you were.',
    measuring: 'Measuring…',
    loading: (model: string) => `Loading the model ${model}…`,
    get elsewhere(): string {
      return hasNoHover()
        ? 'You have chosen something else. “Next” goes on with the story, ✕ leads back.'
        : 'You have chosen something else. The arrow keys go on with the story, Escape leads back.'
    },
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
