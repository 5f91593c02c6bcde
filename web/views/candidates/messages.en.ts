import { percent } from '../../i18n/format'
import { messages } from '../../i18n/messages.svelte'
import { integer, plural } from '../../i18n/numbers'

const tokens = (count: number) => `${integer(count)} ${plural(count, { one: 'token', other: 'tokens' })}`

const en = {
  help: 'The most likely tokens and their cumulative probability. Click one to insert it.',
  source:
    'Probabilities are the softmax of the output head’s logits z over the whole vocabulary. A continuation is sampled from what the settings leave, in Hugging Face’s order: repetition penalty, temperature T, top-k, top-p, min-p. A likely token is a frequent continuation of such texts, not a true one. Of the tokens that are not listed only the sum is known.',
  mask: (mask: string, position: number) => `${mask} ${integer(position)}`,
  masks: 'Mask',
  next: 'the next token',
  sampled: 'last sampled from',
  columns: ['before', 'after settings'],
  fill: ', insert it',
  write: ', append it',
  noMask: 'No mask in the text. Type one, or click a token in Predictions.',
  loading: 'Loading the next tokens…',

  cumulative: 'cumulative probability',
  rank: 'rank →',
  remaining: (count: number) => `${integer(count)} left`,
  half: (count: number) => `${integer(count)} for half`,
  share: (part: number) => `${integer(part * 100)}%`,

  headline: {
    fill: (place: string, token: string, share: number) => `Top candidate for ${place}: ${token}, ${percent(share)}.`,
    next: (token: string, share: number, remaining: number) =>
      `Most likely next token: “${token}”, ${percent(share)}. The settings leave ${tokens(remaining)}.`,
    half: (half: number | undefined, listed: number, mass: number) =>
      half === undefined
        ? `The top ${tokens(listed)} have ${percent(mass)} of the probability: less than half.`
        : `${tokens(half)} ${plural(half, { one: 'has', other: 'have' })} half of the probability, the top ${tokens(listed)} ${percent(mass)}.`,
    remaining: (mass: number) => `The remaining tokens had ${percent(mass)} before the settings.`,
  },

  table: 'candidates',
  header: ['rank', 'token', 'id', 'probability', 'cumulative probability'],
  afterHeader: 'probability after the settings',
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
