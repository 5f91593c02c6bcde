// What the engine's menu says of products that are tuned to a GPU: fetched with it.
import { integer, plural } from '../../numbers'

export const tuning = {
  untried: 'Products take their usual forms: other tiles and slices may be quicker on this GPU.',
  begin: 'Try them',
  again: 'Try again',
  stop: 'Stop',
  begun: 'Trying forms of products …',
  trying: (left: number, texts: number) =>
    `Trying forms of products: ${integer(left)} left for this text${texts > 0 ? `, then ${integer(texts)} longer ${plural(texts, 'one', 'ones')}` : ''}.`,
  usual: 'Products were tuned to this GPU: of what was tried, their usual forms are the quickest.',
  tuned: (changed: number, tokens: number, before: string, after: string) =>
    `Products were tuned to this GPU: ${integer(changed)} ${plural(changed, 'kind takes', 'kinds take')} another form. A run of ${integer(tokens)} ${plural(tokens, 'token', 'tokens')}: ${before} → ${after}.`,
}
