import { messages } from '../i18n/messages.svelte'

const en = {
  /** Of a bundled model, by its folder. */
  bundled: {
    'roformer-english': 'A small English masked language model: it predicts what [MASK] hides.',
    'roformer-english-causal':
      'A small English causal language model: each token sees those before it and predicts the next one.',
    'roformer-linear-english':
      'A small English masked language model with linear attention (equation 19 of the RoFormer paper); negative weights stay negative.',
    'marian-numbers':
      'An encoder–decoder that writes numbers and dates out in English, Hungarian and Korean: its cross-attention follows the digits.',
  },
  /** Why the page could not be stored. */
  offline: {
    noWorkers: 'this browser has no service workers',
    notRunning: 'the service worker does not run',
    ended: 'the browser ended the service worker',
  },
}

export const description = (folder: string): string | undefined =>
  Object.entries(t().bundled).find(([name]) => name === folder)?.[1]

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
