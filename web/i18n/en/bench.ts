import { weight } from '../format'
import { decimal, integer, plural } from '../numbers'
import { key, query, sentence, type Sentence } from '../rich'
import { distances } from './distances'

export const bench = {
  /** Read aloud when a key has chosen it. */
  comparesWith: (layer: number, head: number) => `Comparing with layer ${layer} head ${head}.`,
  explorer: 'Explorer',
  heads: 'Every head',
  headsHelp: {
    maps: 'Layers down, heads across; each one map of this text.',
    distance: 'Area: mean weight by distance. Line: predicted from the mean query and key.',
    pairs: 'Which frequency pairs a head uses, by E‖q‖·E‖k‖: pair 0, the fastest, on the left.',
  },
  headsSource: {
    maps: 'Each map is a head’s weights over this text, pooled by the largest where it has more tokens than pixels: a thin line stays. The numbers are means over all queries that are not special tokens. Where a head looks does not say what it reads there.',
    distance:
      'Mean weight over all queries that have a key at this distance, and the prediction from the mean query and key (TriAttention, 2026, arXiv 2604.04921); the view Distance shows it for one head. The scale is the root of the weight.',
    pairs:
      'How long a head’s mean query and mean key are in each frequency pair before rotation, one times the other (TriAttention, 2026, arXiv 2604.04921). Colours by the root of the strength, all heads on one scale. A strong pair matters for the score; by itself it does not say at which distance.',
  },
  headsKeys: {
    across: 'a head to the left or right',
    along: 'a layer up or down',
    ends: 'the first and the last head of the layer',
  },
  tables: { measured: 'mean weight, measured', predicted: 'mean weight, predicted' },
  pair: (pair: number) => `pair ${pair}`,
  headByDistance: (correlation: number, distance: number, weighs: number) =>
    `${weight(weighs)} of its weight ${distances.where(distance)}, ${distances.correlation(correlation)}`,
  headPairs: (pair: number, part: number) => `pair ${integer(pair)} most, ${decimal(part, 2)} of all`,
  show: 'Show of each head',
  shows: { maps: 'maps', distance: 'distance', pairs: 'pairs used' },
  by: 'by',
  byTitle: 'What the heads of each layer are marked and sorted by',
  byHead: 'number',
  sorted: 'sorted',
  most: 'most',
  least: 'least',
  rank: (rank: number) => `${integer(rank)}. of its layer`,
  walking: 'Reading every head…',
  painting: (left: number) => `Painting: ${integer(left)} ${plural(left, { one: 'map', other: 'maps' })} to come …`,
  walkTooLong: (tokens: number) => `Computed for texts up to ${integer(tokens)} tokens.`,
  headsLabel: (layers: number, heads: number) =>
    `Attention maps of all ${integer(layers)} × ${integer(heads)} heads. Arrow keys choose one, Shift and a click choose the one to compare with.`,
  corner: 'layer',
  layer: (layer: number) => `layer ${layer}`,
  head: (head: number) => `head ${head}`,
  place: (layer: number, head: number) => `layer ${layer}, head ${head}`,
  dock: 'Width of the grid',
  docks: { narrow: 'narrow', usual: 'usual', wide: 'wide' },
  compared: 'B',
  headPatterns: 'Heads with a pattern, and the weight that it gets in this text',
  overBook: (book: string) => `mean over ${book}`,
  headPattern: {
    previous: 'one back',
    next: 'one ahead',
    same: 'itself',
    first: 'first token',
    repeated: 'same word',
    special: 'specials',
  },
  headWord: 'head',
  views: 'Views',
  panes: 'Views side by side',
  pane: (count: number) => (count === 1 ? 'one view' : `${count} views`),
  coming: 'A newer result is on its way.',
  tokens: (canMask: boolean) =>
    `Tokens. Arrow keys move; q makes the query, k makes the key${canMask ? ', m masks' : ''}.`,
  tokenTitle: (position: number, id: number) => `position ${position}, id ${id}`,
  tokenName: (token: string, position: number, { query, key }: { query: boolean; key: boolean }) =>
    [token, `position ${position}`, ...(query ? ['query'] : []), ...(key ? ['key'] : [])].join(', '),
  clickTo: 'a click sets the',
  click: { query: 'query', key: 'key', mask: 'mask' },
  clickHint: {
    query: 'the token that looks; q on a token does it, too',
    key: 'the token that is looked at; k on a token does it, too',
    mask: 'or gives the word back; m on a token does it, too',
  },
  looks: (asking: string, asked: string, weight: string): Sentence =>
    sentence`${query(asking)} gives ${key(asked)} ${weight} of its weight. The shade is what it gives each token.`,
  /** What is left of the bar once it has been scrolled away. */
  looking: (asking: string, asked: string, head: string, weight: string): Sentence =>
    sentence`${query(asking)} → ${key(asked)} · head ${head} · ${weight}`,
  toText: 'Back to the text',
  positions: (from: number, to: number, length: number) =>
    `positions ${integer(from)} to ${integer(to)} of ${integer(length)}`,
  ruler: (length: number) =>
    `All ${integer(length)} ${plural(length, { one: 'token', other: 'tokens' })}: arrow keys move the window`,
  text: 'Text',
  textHint: {
    mask: (mask: string) => `write ${mask} where the model is to guess a word`,
    writes: 'the model writes on where it ends',
    reads: 'the model reads it',
  },
  examples: 'Examples',
  guess: (mask: string, position: number) => `the model’s guess for ${mask} ${position}`,
  next: 'what may come next',
  putIn: (token: string, share: string) => `${token}, ${share}: put in`,
  takeIt: (token: string, share: string) => `${token}, ${share}: write it`,
  model: 'Model',
  noModel: 'no model',
  sizes: (layers: number, heads: number) => `${integer(layers)} layers × ${integer(heads)} heads`,
  ownModel: 'Open your own …',
  engine: 'Engine',
  undo: 'Undo',
  redo: 'Redo',
  headsTab: 'Heads',
  otherViews: 'Other views',
  shortened: (tokens: number) =>
    `The text goes on, but this model reads ${integer(tokens)} tokens at most: the rest is kept and not run.`,
  goBeyond: 'Read on beyond that length',
  beyondMeans: 'The model was not made for it: its guesses may get worse.',
  notLinked: 'This text is too long for a link, so the link leaves it out.',
  nothingHidden: (mask: string) => `No word is known under this ${mask}: choose one of its fills, or type one.`,
}
