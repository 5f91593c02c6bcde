import type { KeyWords } from '../../elements/keys'
import { percent } from '../../elements/format'
import { integer, plural } from '../numbers'

const tokens = (count: number) => `${integer(count)} ${plural(count, 'token', 'tokens')}`

export const candidates = {
  tab: 'Candidates',
  title: 'Fills and next tokens',
  help: 'The likeliest tokens, and how much probability they hold together. Click one to put it in.',
  source:
    'Probabilities are the softmax of the output head’s logits z over the whole vocabulary. A text that is written on draws from what the settings leave, in Hugging Face’s order: repetition penalty, temperature T, top-k, top-p, min-p. What it does not show: a likely token is one that such texts go on with, not one that is true, and what lies behind the tokens listed here is known only by its sum.',

  mask: (mask: string, position: number) => `${mask} ${integer(position)}`,
  masks: 'The mask whose candidates stand here',
  next: 'the next token',
  drawn: 'just drawn from',
  heads: ['before', 'after settings'],
  put: ', put it in',
  write: ', write it',
  keys: {
    along: 'the candidate before, the next',
    ends: 'the likeliest, the last that is listed',
    take: 'puts it in',
  } satisfies KeyWords,
  noMask: 'No token is masked. Write a mask into the text, or click a token in Predictions.',
  coming: 'The likeliest next tokens stand here as soon as the text has run.',

  sums: 'together, from the likeliest on',
  afterSums: 'after settings',
  beforeSums: 'before',
  rank: 'the likeliest so many tokens →',
  left: (count: number) => `${integer(count)} left`,
  half: (count: number) => `${integer(count)} for half`,
  share: (part: number) => `${integer(part * 100)}%`,

  headline: {
    gap: (place: string, token: string, share: number) =>
      `For ${place} the model takes ${token} first: ${percent(share)}.`,
    next: (token: string, share: number, left: number) =>
      `The next token is ${token} with ${percent(share)}; ${tokens(left)} ${plural(left, 'is', 'are')} left to draw from.`,
    half: (half: number | undefined, listed: number, mass: number) =>
      half === undefined
        ? `The ${tokens(listed)} listed hold ${percent(mass)} of the probability: less than half.`
        : `${tokens(half)} ${plural(half, 'holds', 'hold')} half of the probability, the ${tokens(listed)} listed ${percent(mass)}.`,
    kept: (mass: number) => `What the settings leave had ${percent(mass)} before them.`,
  },

  table: 'candidates',
  columns: ['rank', 'token', 'id', 'probability', 'probabilities up to here'],
  afterColumn: 'probability after the settings',
}
