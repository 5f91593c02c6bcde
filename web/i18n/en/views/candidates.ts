// What the view tells once it is open: fetched with it.
import { percent } from '../../format'
import { integer, plural } from '../../numbers'

const tokens = (count: number) => `${integer(count)} ${plural(count, 'token', 'tokens')}`

export const candidates = {
  mask: (mask: string, position: number) => `${mask} ${integer(position)}`,
  masks: 'The mask whose candidates stand here',
  next: 'the next token',
  drawn: 'just drawn from',
  heads: ['before', 'after settings'],
  put: ', put it in',
  write: ', write it',
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
      `The next token is “${token}” with ${percent(share)}; ${tokens(left)} ${plural(left, 'is', 'are')} left to draw from.`,
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
