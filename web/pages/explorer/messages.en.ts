import { messages } from '../../i18n/messages.svelte'
import { integer, plural } from '../../i18n/numbers'
import { key, query, sentence, type Sentence } from '../../i18n/rich'
import { hasNoHover } from '../../ui/pointer'

const tokens = (count: number) => `${integer(count)} ${plural(count, { one: 'token', other: 'tokens' })}`

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
      layers: 'How the layers change it',
      guess: 'The tokens that the model predicts',
    },
  },
  intro: {
    name: 'What this is',
    rotates: sentence`RoPE turns each word’s ${query('query')} and ${key('key')} by its position, so what counts for their match is how far apart they are, not where they stand. Here is a real model doing it.`,
    adds: sentence`This model adds positions to its token embeddings instead of rotating ${query('queries')} and ${key('keys')}. Here is a real model reading a text: which words look at which.`,
    own: 'Use my own sentence',
    write: 'Write it',
    writeHint: 'The text is selected: type over it.',
    orExample: 'Or take an example:',
  },
  walk: {
    play: 'Watch it turn',
    help: (head: string) => `Moves the key along the text: in head ${head} the pairs rotate, and the score changes.`,
    on: '▶ Go on',
    pause: '❚❚ Pause',
    back: 'One token back',
    forth: 'One token on',
    stop: 'Stop',
    step: (step: number, of: number) => `step ${integer(step)} of ${integer(of)}`,
    cannot: 'The key cannot move here: choose another query, or a longer text.',
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
  looks: (from: string, to: string, weight: string): Sentence =>
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
      ['stopped']: (count: number) => `you stopped it after ${tokens(count)}`,
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
    tokens,
    anotherSeed: 'another',
    order:
      'In this order: the penalty makes tokens of the text less likely, then the temperature flattens or sharpens. Only the k likeliest stay, of those the likeliest that together have probability p, and of those the ones with at least min-p times the highest probability. The same text, settings and seed give the same continuation. A chat model continues the text as you see it, without a chat template.',
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
