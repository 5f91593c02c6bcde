import { decimal, integer, plural } from '../numbers'
import { key, query, sentence, type Sentence } from '../rich'
import { cursor } from './keys'
import { ordinal } from './ordinal'

interface Measured {
  /** Query tokens that have such a key. */
  of: number
  /** Those that give it their largest weight. */
  do: number
  /** The weight that such keys get on average. */
  mean: number
}

/** 20 of 21 tokens, all 21 tokens. */
const tokens = ({ of, do: does }: Measured) =>
  of === does ? `All ${integer(of)} tokens` : `${integer(does)} of ${integer(of)} tokens`

const average = ({ mean }: Measured) => `${decimal(mean, 2)} on average here`

/** What a head with a habit does, the tokens that it is measured on and what they do, and the habit's short name. */
const habit = {
  previous: {
    does: 'looks one token back',
    line: (it: Measured) => `${tokens(it)} that have a token before them give it their largest weight: ${average(it)}.`,
    where: 'the token before them',
  },
  next: {
    does: 'looks one token ahead',
    line: (it: Measured) => `${tokens(it)} that have a token after them give it their largest weight: ${average(it)}.`,
    where: 'the token after them',
  },
  twoBack: {
    does: 'looks two tokens back',
    line: (it: Measured) => `${tokens(it)} that have a token two back give it their largest weight: ${average(it)}.`,
    where: 'the token two back',
  },
  twoAhead: {
    does: 'looks two tokens ahead',
    line: (it: Measured) => `${tokens(it)} that have a token two ahead give it their largest weight: ${average(it)}.`,
    where: 'the token two ahead',
  },
  itself: {
    does: 'lets tokens look at themselves',
    line: (it: Measured) => `${tokens(it)} give themselves their largest weight: ${average(it)}.`,
    where: 'themselves',
  },
  first: {
    does: 'looks at the first token',
    line: (it: Measured) => `${tokens(it)} after the first give it their largest weight: ${average(it)}.`,
    where: 'the first token',
  },
  same: {
    does: 'looks at the same token elsewhere',
    line: (it: Measured) => `${tokens(it)} that stand elsewhere, too, look there most: they give it ${average(it)}.`,
    where: 'the same token elsewhere',
  },
}

type Habit = keyof typeof habit
/** What a map shows of a query and a key. */
type Kind = 'weight' | 'score' | 'content' | 'rotation'

const away = (from: number, to: number) =>
  from === to
    ? 'itself'
    : from > to
      ? `${integer(from - to)} ${plural(from - to, 'token', 'tokens')} back`
      : `${integer(to - from)} ${plural(to - from, 'token', 'tokens')} ahead`

export const map = {
  tab: 'Map',
  title: 'One head’s map',
  help: 'Rows ask (query), columns answer (key). A row’s weights sum to 1.',
  source:
    'RoFormer (Su et al. 2021, arXiv 2104.09864), equation 2; q and k are already rotated to their positions. Weights are coloured from 0 to 1 in every map; scores, which softmax makes into weights, are green where positive and magenta where negative, as far as this map reaches. Content is the score with nothing rotated, rotation the difference. Sand is what the mask forbids. A large weight says where a head reads from, not what it does with it: attention is no explanation.',
  heading: (layer: number, head: number) => `Layer ${integer(layer)}, head ${integer(head)}`,
  label: (layer: number, head: number) =>
    `Attention of layer ${integer(layer)}, head ${integer(head)}. Arrow keys move from cell to cell, Home and End along a row, Page keys ten rows.`,
  axes: { query: 'query ↓', key: 'key →' },
  kind: {
    name: 'Numbers',
    weight: 'weights',
    score: 'scores',
    content: 'content',
    rotation: 'rotation',
  },
  /** A number where it is spoken. */
  measured: (kind: Kind, value: string) =>
    ({
      weight: value,
      score: `score ${value}`,
      content: `score without rotation ${value}`,
      rotation: `rotation adds ${value}`,
    })[kind],
  scale: {
    name: 'Colours',
    root: 'root scale',
    linear: 'linear scale',
    log: 'log scale',
  },
  special: { name: 'Special tokens', show: 'all tokens', hide: 'no special tokens' },
  hiddenHere: 'Only special tokens here: show all tokens to see their weights.',
  pair: (asking: string, m: number, asked: string, n: number): Sentence =>
    sentence`${query(asking)} ${integer(m)} → ${key(asked)} ${integer(n)}`,
  rank: (rank: number, of: number) => `${ordinal(rank)} of ${integer(of)} ${plural(of, 'key', 'keys')}`,
  leftOut: 'a special token, left out here',
  forbidden: 'not allowed: it comes later',
  away,
  rankAway: (kind: Kind, rank: string, away: string) =>
    ({
      weight: `${rank}, ${away}`,
      score: `score before softmax, ${rank}, ${away}`,
      content: `score without rotation, ${rank}, ${away}`,
      rotation: `what rotation adds, ${rank}, ${away}`,
    })[kind],
  ranking: (kind: Kind, asking: string, position: number): Sentence => {
    const token = query(asking)
    const at = integer(position)
    return {
      weight: sentence`What ${token} ${at} looks at`,
      score: sentence`The highest scores of ${token} ${at}`,
      content: sentence`Without rotation, ${token} ${at} scores`,
      rotation: sentence`What rotation adds for ${token} ${at}`,
    }[kind]
  },
  spoken: (place: { layer: number; head: number; asking: string; m: number; asked: string; n: number }, read: string) =>
    `layer ${place.layer} head ${place.head}, query '${place.asking}' ${place.m}, key '${place.asked}' ${place.n}: ${read}`,
  bar: (least: string, most: string) => `Colours from ${least} to ${most}`,
  table: {
    corner: 'query \\ key',
    weight: 'Weights: queries down, keys across',
    score: 'Scores before softmax: queries down, keys across',
    content: 'Scores without rotation: queries down, keys across',
    rotation: 'What rotation adds to the scores: queries down, keys across',
  },
  keys: {
    ...cursor,
    wheel: 'on a long text: fewer or more tokens across',
    drag: 'on a long text: moves the part that is enlarged',
    pinch: 'on a long text: fewer or more tokens across, and another part',
  },
  headline: {
    habit: (layer: number, head: number, found: Habit) => `Head ${layer}.${head} ${habit[found].does}.`,
    habitLine: (found: Habit, measured: Measured) => habit[found].line(measured),
    spread: (layer: number, head: number, largest: number) =>
      `Head ${layer}.${head} spreads its weight: its largest is ${decimal(largest, 2)} on average.`,
    picks: (layer: number, head: number, largest: number) =>
      `Head ${layer}.${head} picks single tokens: its largest weight is ${decimal(largest, 2)} on average.`,
    noHabit: (commonest: (Measured & { habit: Habit }) | undefined) =>
      commonest
        ? `No one place gets it: nearest to a habit, ${integer(commonest.do)} of ${integer(commonest.of)} tokens give ${habit[commonest.habit].where} their largest weight.`
        : 'No one place gets it: not the tokens beside, not the token itself, not the first one.',
    withoutSpecial: 'Special tokens are left out.',
  },
}
