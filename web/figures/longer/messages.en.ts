import { searched } from '../../i18n/facts'
import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, signedDecimal } from '../../i18n/numbers'

const en = {
  help: 'Its loss on a held-out book, the same masked tokens in texts of its own length and of longer ones; below, one head’s map in each.',
  source: `Each way as transformers has it, applied without further training; YaRN’s paper blends by turns, its code by the pair’s number. LongRoPE’s factors, ${decimal(searched.least, 2)} to ${decimal(searched.most, 2)}, were searched for this model at four times its length by training/search_factors.py, on books that it was trained on, with fewer tries than its paper makes: ${integer(searched.tries)}. On the held-out book they take ${decimal(searched.gains[4].mean, 3)} ± ${decimal(searched.gains[4].error, 3)} off the loss that LongRoPE’s magnitude leaves alone there (the mean of the rows and its standard error); at twice the length there is no difference beyond its error (${signedDecimal(searched.gains[2].mean, 3)} ± ${decimal(searched.gains[2].error, 3)}). Phi-3’s would not fit its heads. Partial and proportional turn the fastest quarter of the pairs, at every length: models that have it were trained so, this one was not. The clamp lets no distance count for more than a quarter of the length (ReRoPE, github.com/bojone/rerope), log-n as Su, kexue.fm/archives/8823. Each row of held-out-long.json is cut into texts of each length. In a map each point is the strongest weight under it. training/measure_lengths.py measures the same with PyTorch.`,
  ways: {
    plain: 'as it is',
    interpolation: 'interpolation',
    dynamic: 'NTK (dynamic)',
    yarn: 'YaRN, paper',
    yarnCode: 'YaRN, code',
    llama: 'Llama 3.1',
    longrope: 'LongRoPE',
    partial: 'partial',
    proportional: 'proportional',
    clamp: 'clamp',
    logn: 'log-n',
    both: 'clamp and log-n',
  },
  waysLabel: 'Ways that are measured',
  across: 'length of the texts',
  up: 'loss (nats)',
  times: (times: number, tokens: number) => `${integer(times)} × (${integer(tokens)})`,
  nothing: 'Not measured yet.',
  start: 'Read texts beyond its length',
  resume: 'Go on',
  stop: 'Stop',
  duration:
    'It takes minutes without a GPU, says how many once the first text is read, and can be stopped at any time.',
  progressLabel: 'Texts that are read',
  progress: (done: number, all: number) => `${integer(done)} of ${integer(all)} readings`,
  left: (seconds: number) =>
    `about ${seconds < 100 ? `${integer(Math.ceil(seconds))} s` : `${integer(Math.ceil(seconds / 60))} min`} left`,
  notStarted: 'Texts longer than those it was trained for are run only when you ask for it.',
  tokens: (tokens: number, book: string) =>
    `${integer(tokens)} masked tokens of “${book}”, which the model has not read.`,
  maps: (head: string) => `maps of head ${head}, with what a query’s strongest key is given on average:`,
  map: (tokens: number, strongest: number) => `${integer(tokens)} tokens: ${decimal(strongest, 2)}`,
  notServed: 'Only the page’s own model roformer-english comes with a held-out text that is long enough.',
  table: 'loss by length',
  columns: ['way', 'tokens', 'loss', 'masked tokens'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
