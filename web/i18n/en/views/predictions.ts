// What the view tells once it is open: fetched with it.
import { percent } from '../../format'
import { decimal, integer, list, plural } from '../../numbers'
import { capital } from '../changed'

type Preset = 'head' | 'layer' | 'none'

/** So much is not called a difference: a tenth of a percent is the last digit shown. */
const seen = 0.0005

/** A difference of probabilities in percentage points, with its sign. */
function points(difference: number): string {
  if (Math.abs(difference) < seen) return '0.0'
  return `${difference < 0 ? '−' : '+'}${decimal(Math.abs(difference) * 100, 1)}`
}

const known = (probability: number | null, least: number) =>
  probability === null ? `< ${percent(least)}` : percent(probability)

interface Moved {
  /** "[MASK] 7" or "the next token". */
  place: string
  /** What is changed: "without head 2.6". */
  change: string
}

export const predictions = {
  mask: (mask: string, position: number) => `${mask} ${integer(position)}`,
  next: 'the next token',
  whole: 'whole',
  now: 'changed',
  moves: 'moves',
  numbers: (whole: number | null, now: number | null, least: { whole: number; now: number }) => [
    known(whole, least.whole),
    known(now, least.now),
    whole === null || now === null ? '' : points(now - whole),
  ],
  put: ', put it in',
  none: 'No token is masked. Click one above: the model’s guesses for it stand here.',
  noneCausal: 'The likeliest next tokens stand here as soon as the text has run.',
  noneEncoder:
    'The encoder reads the source and expects nothing. What comes next is told of the decoder and of cross-attention.',
  noSwitches: 'Heads are switched off in models whose queries and keys turn.',
  firstOnly: (count: number) => `Guesses are shown for the first ${integer(count)} masks.`,

  positions: 'Tokens: Enter masks or shows one, arrow keys walk',
  hide: (token: string, position: number) => `${token} ${position}: mask it`,
  reveal: (mask: string, position: number) => `${mask} ${position}: show its word again`,
  fixed: (token: string, position: number) => `${token} ${position}, stands for no text`,
  earlier: 'Earlier tokens',
  later: 'Later tokens',

  switches: 'Heads that are on',
  switchLabel: (layer: number, head: number) => `Layer ${layer}, head ${head}`,
  replacedBy: 'A head that is off gives',
  by: { zero: 'zero', mean: 'its mean' },
  byHint: { zero: 'nothing at all', mean: 'the same to every token: the mean of what it gave them' },
  lossOf: (change: string) => `${capital(change)}, on text that the model has not seen:`,
  presets: 'Switch off',
  preset: (preset: Preset, { layer, head }: { layer: number; head: number }) =>
    preset === 'none' ? 'none' : preset === 'head' ? `head ${layer}.${head}` : `layer ${layer}`,

  candidates: 'next token',
  before: 'before',
  after: 'after settings',
  write: ', write it',
  drawn: 'just drawn from',
  changedNext: 'the likeliest, by the model alone',

  lens: {
    open: 'layer by layer',
    title: (place: string) => `${place}, read at every layer`,
    heads: ['would say', '', 'then'],
    coming: 'Reading every layer …',
    layer: (state: number) => (state === 0 ? 'input' : `layer ${state - 1}`),
    line: (place: string, token: string, since: number, before: string | undefined) =>
      since === 0 || before === undefined
        ? `For ${place} the output head would say “${token}” at every layer, and of the embeddings alone.`
        : `For ${place} the output head would say “${token}” from layer ${since - 1} on; just before, “${before}”.`,
    table: 'layer by layer',
    columns: ['after', 'token', 'probability'],
  },

  classes: 'the text as a whole',
  tokens: 'each token',
  answer: 'the answer',

  headline: {
    is: (place: string, token: string, now: number) => `The guess for ${place} is ${token}: ${percent(now)}.`,
    next: (token: string, now: number) => `The model expects ${token} next: ${percent(now)}.`,
    others: (fills: readonly { token: string; now: number }[]) =>
      fills.length === 0
        ? ''
        : `Then ${list(fills.map(({ token, now }) => `${token} ${percent(now)}`))}, of the whole vocabulary.`,
    stays: ({ place, change }: Moved, token: string, whole: number, now: number) =>
      `${capital(change)} the guess for ${place} stays ${token}: ${decimal(whole * 100, 1)} → ${percent(now)}.`,
    turns: ({ place, change }: Moved, from: string, to: string) =>
      `${capital(change)} the guess for ${place} turns from ${from} to ${to}.`,
    turned: (from: string, whole: number, to: string, now: number) =>
      `With nothing changed ${from} had ${percent(whole)}; now ${to} has ${percent(now)}.`,
    most: (moved: { token: string; whole: number; now: number } | undefined, places: number) => {
      const where = places > 1 ? ` Of ${integer(places)} masks this is the one that moves most.` : ''
      if (!moved || Math.abs(moved.now - moved.whole) < seen)
        return `No other guess moves by as much as 0.1 points.${where}`
      return `Of the others ${moved.token} moves most: ${decimal(moved.whole * 100, 1)} → ${percent(moved.now)}, ${points(moved.now - moved.whole)} points.${where}`
    },
    noMask: 'No token is masked.',
    noMaskLine: 'Click one, and the model guesses what stood there.',
    class: (label: string, now: number) => `The model says ${label}: ${percent(now)}.`,
    classMoved: (change: string, label: string, whole: number, now: number) =>
      `${capital(change)} the model says ${label}: ${decimal(whole * 100, 1)} → ${percent(now)}.`,
    labels: (counts: readonly (readonly [label: string, count: number])[], tokens: number) =>
      `Of ${integer(tokens)} ${plural(tokens, { one: 'token', other: 'tokens' })} ${list(counts.slice(0, 3).map(([label, count]) => `${integer(count)} ${plural(count, { one: 'is', other: 'are' })} ${label}`))}.`,
    answer: (from: string, start: number, to: string, end: number) =>
      `The answer starts at ${from} ${integer(start)} and ends at ${to} ${integer(end)}.`,
  },

  tables: {
    fills: 'guesses',
    classes: 'classes',
    tokens: 'tokens',
    candidates: 'next tokens',
    position: 'position',
    token: 'token',
    label: 'label',
    whole: 'probability with nothing changed',
    now: 'probability',
    before: 'probability before the settings',
    after: 'probability after the settings',
    unknown: 'not among the first',
  },
}
