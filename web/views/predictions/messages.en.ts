import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, list, plural, capital, headName, percent } from '../../i18n/numbers'
import { quote, sentence, token, type Piece, type Sentence, type Token } from '../../i18n/rich'
import type { Predicted, Preset } from './data'
import { hasNoHover } from '../../ui/pointer'

/** Smaller differences are not visible in the digits. */
const visible = 0.0005

/** A difference of probabilities in percentage points, with its sign. */
function points(difference: number): string {
  if (Math.abs(difference) < visible) return '0.0'
  return `${difference < 0 ? '−' : '+'}${decimal(Math.abs(difference) * 100, 1)}`
}

const tokens = (count: number) => `${integer(count)} ${plural(count, { one: 'token', other: 'tokens' })}`

const bounded = (probability: number | null, least: number) =>
  probability === null ? `< ${percent(least)}` : percent(probability)

interface Moved {
  /** [MASK] with its position, or "the next token". */
  place: Piece
  /** "without head L2·H6" */
  change: string
}

/** @param of what the model predicts of this text @param switches whether its heads can be switched off */
function help(of: Predicted, switches: boolean): string {
  const begin = {
    tokens: `The most probable tokens. ${hasNoHover() ? 'Tap' : 'Click'} one to insert it`,
    verdict: 'What the model says of the text',
    nothing: 'Nothing is predicted here',
  }[of]
  return switches ? `${begin}; switch heads off to see their effect.` : `${begin}.`
}

const en = {
  get help(): string {
    return help('tokens', true)
  },
  helpOf: help,
  source:
    'Probabilities are the softmax of the output head’s logits over the whole vocabulary. A continuation is sampled from what the settings leave, in Hugging Face’s order: repetition penalty, temperature T, top-k, top-p, min-p. A likely token is a frequent continuation of such texts, not a true one. For the tokens that are not listed, only the sum of probabilities is known. The output of a head that is off is replaced before the layer’s output projection, by zero or by its mean over the tokens of the text; everything after it is computed again. The mean keeps the part of the output that all tokens share and removes the part that distinguishes them. What it does not show: other heads can make up for one that is missing, so a small difference does not say that the head does nothing. Layer by layer (the “logit lens”, nostalgebraist 2020) the output head reads the hidden states after each layer, final norm included. It was trained on the last state alone, so its reading of an earlier state need not be what the model represents there.',

  mask: (mask: string, position: number) => `${mask} ${integer(position)}`,
  masks: 'Mask',
  next: 'the next token',
  columns: ['before', 'after', 'points'] as readonly string[],
  numbers: (baseline: number | null, now: number | null, least: { baseline: number; now: number }) => [
    bounded(baseline, least.baseline),
    bounded(now, least.now),
    baseline === null || now === null ? '' : points(now - baseline),
  ],
  put: ', insert it',
  get none(): string {
    return hasNoHover()
      ? 'No token is masked. Type [MASK], or press “mask” above and tap a token.'
      : 'No token is masked. Type [MASK], or press “mask” above and click a token.'
  },
  noneCausal: 'Next tokens appear here after a run.',
  noneEncoder: {
    title: 'The encoder predicts no tokens.',
    line: 'Select the decoder or cross-attention to see the next token.',
  },
  noSwitches: 'Heads can be switched off only in models with rotary embeddings.',
  firstOnly: (count: number) => `Predictions for the first ${integer(count)} masks only.`,

  cumulative: 'cumulative probability',
  rank: 'rank →',
  remaining: (count: number) => `${integer(count)} left`,
  half: (count: number) => `${integer(count)} for half`,
  share: (part: number) => `${integer(part * 100)}%`,

  get switches(): string {
    return hasNoHover() ? 'Switch heads off (tap)' : 'Switch heads off (click)'
  },
  switchLabel: (layer: number, head: number) => `Layer ${layer}, head ${head}`,
  replacedBy: 'replace a head’s output by',
  by: { zero: 'zero', mean: 'its mean' },
  byHint: { zero: 'no output', mean: 'the mean of the head’s output over the tokens of the text' },
  lossOf: (change: string) => `${capital(change)}, on held-out text:`,
  presets: 'off:',
  preset: (preset: Preset, { layer, head }: { layer: number; head: number }) =>
    preset === 'none' ? 'none' : preset === 'head' ? `head ${headName({ layer, head })}` : `layer ${layer}`,

  candidates: 'the next token',
  before: 'before',
  after: 'after settings',
  write: ', append it',
  drawn: 'the last sampled token',
  changedNext: 'with the change, before the settings',

  lens: {
    open: 'layer by layer',
    title: (place: string) => `${place} at every layer`,
    heads: ['top token', '', 'second'],
    loading: 'Loading…',
    layer: (state: number) => (state === 0 ? 'input' : `layer ${state - 1}`),
    line: (place: string, token: string, since: number, before: string | undefined) =>
      since === 0 || before === undefined
        ? `For ${place} the output head’s top token is ${quote(token)} at every layer, even of the embeddings alone.`
        : `For ${place} the output head’s top token is ${quote(token)} from layer ${since - 1} on; one state earlier it is ${quote(before)}.`,
    table: 'layer by layer',
    columns: ['after', 'token', 'probability'],
  },

  hiddenStatesOnly: {
    title: 'This model predicts nothing: its weights have no output head.',
    line: 'It computes hidden states. The other views show its heads.',
  },
  classes: 'the whole text',
  tokens: 'each token',
  answer: 'the answer',

  headline: {
    is: (place: Piece, fill: string, now: Piece): Sentence =>
      sentence`The guess for ${place} is ${token(fill)}: ${now}.`,
    next: (fill: string, now: Piece): Sentence => sentence`The model expects ${token(fill)} next: ${now}.`,
    others: (fills: readonly { token: string; now: Piece }[]): Sentence =>
      fills.length === 0
        ? []
        : ['Then ', ...fills.flatMap(({ token: fill, now }, at) => [at === 0 ? '' : ', ', token(fill), ' ', now]), '.'],
    half: (half: number | undefined, listed: number, mass: number) =>
      half === undefined
        ? `The top ${tokens(listed)} have ${percent(mass)} of the probability: less than half.`
        : `${tokens(half)} ${plural(half, { one: 'has', other: 'have' })} half of the probability, the top ${tokens(listed)} ${percent(mass)}.`,
    remaining: (count: number, mass: number, atLeast: boolean) =>
      `The settings leave ${tokens(count)}, which had ${atLeast ? 'at least ' : ''}${percent(mass)} before them.`,
    stays: ({ place, change }: Moved, fill: string, baseline: number, now: Piece): Sentence =>
      sentence`${capital(change)} the guess for ${place} stays ${token(fill)}: ${decimal(baseline * 100, 1)} → ${now}.`,
    turns: ({ place, change }: Moved, from: string, to: string): Sentence =>
      sentence`${capital(change)} the guess for ${place} turns from ${token(from)} to ${token(to)}.`,
    changed: (from: string, baseline: number, to: string, now: Piece): Sentence =>
      sentence`Before, ${token(from)} had ${percent(baseline)}; now ${token(to)} has ${now}.`,
    most: (moved: { token: string; baseline: number; now: number } | undefined): Sentence | string =>
      !moved || Math.abs(moved.now - moved.baseline) < visible
        ? 'No other guess moves by as much as 0.1 points.'
        : sentence`Of the others ${token(moved.token)} moves most: ${decimal(moved.baseline * 100, 1)} → ${percent(moved.now)}, ${points(moved.now - moved.baseline)} points.`,
    noMask: 'No token is masked.',
    noMaskLine: 'Mask one above the views, and the model predicts the missing word.',
    class: (label: string, now: number) => `The model says ${label}: ${percent(now)}.`,
    classMoved: (change: string, label: string, baseline: number, now: number) =>
      `${capital(change)} the model says ${label}: ${decimal(baseline * 100, 1)} → ${percent(now)}.`,
    labels: (counts: readonly (readonly [label: string, count: number])[], tokens: number) =>
      `Of ${integer(tokens)} ${plural(tokens, { one: 'token', other: 'tokens' })} ${list(counts.slice(0, 3).map(([label, count]) => `${integer(count)} ${plural(count, { one: 'is', other: 'are' })} ${label}`))}.`,
    answer: (start: Token, end: Token): Sentence =>
      sentence`The answer starts at ${token(start)} and ends at ${token(end)}.`,
  },

  tables: {
    fills: 'guesses',
    classes: 'classes',
    tokens: 'tokens',
    candidates: 'next tokens',
    position: 'position',
    rank: 'rank',
    token: 'token',
    id: 'id',
    sum: 'cumulative probability',
    label: 'label',
    baseline: 'probability with nothing changed',
    now: 'probability',
    after: 'probability after the settings',
    unknown: 'not among the first',
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
