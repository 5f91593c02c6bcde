import { searched } from '../../i18n/facts'
import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, signedDecimal } from '../../i18n/numbers'

const en = {
  help: 'The model’s loss on a held-out book: the same masked tokens in texts of its training length and in longer ones. Below: one head’s map for each length.',
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
  waysLabel: 'Methods to measure',
  across: 'length of the texts',
  up: 'loss (nats)',
  times: (times: number, tokens: number) => `${integer(times)} × (${integer(tokens)})`,
  nothing: 'Not measured yet.',
  start: 'Measure longer texts',
  resume: 'Continue',
  stop: 'Stop',
  duration: 'Without a GPU this takes minutes. The time left appears after the first text. You can stop at any time.',
  progressLabel: 'Texts measured',
  progress: (done: number, all: number) => `${integer(done)} of ${integer(all)} measurements`,
  left: (seconds: number) =>
    `about ${seconds < 100 ? `${integer(Math.ceil(seconds))} s` : `${integer(Math.ceil(seconds / 60))} min`} left`,
  notStarted: 'The page runs texts longer than the training length only when you start it.',
  tokens: (tokens: number, book: string) =>
    `${integer(tokens)} masked tokens of “${book}”, which the model has not read.`,
  maps: (head: string) => `maps of head ${head}, with the mean weight of each query’s strongest key:`,
  map: (tokens: number, strongest: number) => `${integer(tokens)} tokens: ${decimal(strongest, 2)}`,
  notServed: 'Only the page’s own model roformer-english comes with a held-out text that is long enough.',
  table: 'loss by length',
  columns: ['method', 'tokens', 'loss', 'masked tokens'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
