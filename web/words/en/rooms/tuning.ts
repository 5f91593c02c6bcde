// What the engine's menu says of work that is tuned to a GPU: fetched with it.
import { integer, plural } from '../../numbers'

const run = (tokens: number, past: number) =>
  past > 0
    ? `A token behind ${integer(past)} ${plural(past, 'other', 'others')}`
    : `A run of ${integer(tokens)} ${plural(tokens, 'token', 'tokens')}`

export const tuning = {
  untried: 'Products and attention take their usual forms: other tiles and slices may be quicker on this GPU.',
  begin: 'Try them',
  again: 'Try again',
  stop: 'Stop',
  begun: 'Trying forms …',
  trying: (left: number, texts: number) =>
    `Trying forms: ${integer(left)} left for this text${texts > 0 ? `, then ${integer(texts)} more ${plural(texts, 'text', 'texts')}` : ''}.`,
  usual: 'Products and attention were tuned to this GPU: of what was tried, their usual forms are the quickest.',
  tuned: (changed: number, tokens: number, past: number, before: string, after: string) =>
    `Products and attention were tuned to this GPU: ${integer(changed)} ${plural(changed, 'kind takes', 'kinds take')} another form. ${run(tokens, past)}: ${before} → ${after}.`,
}
