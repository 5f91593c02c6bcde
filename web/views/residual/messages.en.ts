import type { LogitTerm } from '../../engine/protocol/explanation'
import { messages } from '../../i18n/messages.svelte'
import { integer, signed } from '../../i18n/numbers'
import { sentence, type Piece, type Sentence } from '../../i18n/rich'

const kinds: Readonly<Record<LogitTerm['of'], string>> = {
  embedding: 'embedding',
  head: 'head',
  cross_head: 'head of cross-attention',
  feed_forward: 'feed-forward network',
  bias: 'bias',
}

const en = {
  help: 'The logit of a prediction as a sum: what the embedding, each layer’s attention and each feed-forward network add to it.',
  source:
    'Direct logit attribution: every layer adds to the residual stream of the token, and the output head reads the sum. The scale of each norm, and the ratio of an activation’s result to its input, are those of this run: then all is linear, and the terms add up to the logit. What a head does to later layers is not counted.',
  loading: 'Taking the logit apart…',
  none: 'The encoder predicts no token. Choose the decoder or cross-attention.',
  token: 'Prediction',
  heads: 'Each head',
  kinds,
  rows: {
    embedding: 'Embedding',
    attention: (layer: number) => `Attention ${integer(layer)}`,
    cross: (layer: number) => `Cross-attention ${integer(layer)}`,
    feed_forward: (layer: number) => `Feed-forward ${integer(layer)}`,
    bias: 'All biases',
    others: 'All others',
    rounding: 'Rounding',
  },
  crossHead: (head: string) => `Cross ${head}`,
  total: (token: string) => `Logit of ${token}`,
  headline: (token: string, part: string, value: string, logit: Piece): Sentence =>
    sentence`${part} adds most to the logit of “${token}”: ${value} of ${logit}.`,
  totalOf: (token: string, logit: Piece): Sentence => sentence`The logit of “${token}” is ${logit}.`,
  unavailable: 'This logit cannot be taken apart',
  line: ({
    embedding,
    attention,
    feedForward,
    bias,
  }: Record<'embedding' | 'attention' | 'feedForward' | 'bias', number>) =>
    `Embedding ${signed(embedding)}, attention ${signed(attention)}, feed-forward networks ${signed(feedForward)}, biases ${signed(bias)}.`,
  label: (token: string) => `A waterfall: from top to bottom, what adds up to the logit of ${token}.`,
  moved: (part: string, value: number) => `${part}: ${signed(value)}`,
  limits:
    'Norms and activations are held as they are in this run. A logit is not a probability: only differences between logits count.',
  table: 'terms of the logit',
  columns: ['of', 'where', 'adds'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
