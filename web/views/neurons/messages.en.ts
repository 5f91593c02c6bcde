import { messages } from '../../i18n/messages.svelte'
import { capital, integer, signed } from '../../i18n/numbers'
import { query, sentence, token, type Piece, type Sentence, type Token } from '../../i18n/rich'

const en = {
  help: 'The strongest neurons of a layer’s feed-forward network at a token, and what one of them does.',
  source:
    'A neuron is a column between the two projections of a feed-forward network: its value is what the second projection reads, after the activation and, where there is one, the gate. What it reads is the dot product of its row of the first projection, or of the gate, with each word embedding. What it writes is the product of its column of the second projection with the output head (Geva et al. 2022, arXiv 2203.14680). Both follow from the weights alone, whatever the text is. A neuron can stand for several things, and several neurons for one.',
  loading: 'Reading the neurons…',
  number: 'Neuron',
  strongestOne: 'the strongest',
  switches: 'Switch off',
  offNeuron: (neuron: number) => `neuron ${neuron}`,
  offNetwork: (layer: number) => `feed-forward network of layer ${integer(layer)}`,
  offHelp: 'The value is 0 at every token, and all that follows is computed again.',
  noSwitches: 'Neurons of the encoder cannot be switched off: interventions are for the decoder.',
  strongest: (of: string) => `Strongest neurons at ${of}`,
  atTokens: (neuron: number) => `Neuron ${neuron} at each token`,
  columns: { value: 'value', inner: 'before', gate: 'gate' },
  reads: 'Reads',
  likelier: 'Likelier',
  lessLikely: 'Less likely',
  label: (layer: number, of: string, neuron: number) =>
    `Bars: the strongest neurons of layer ${integer(layer)} at ${of}, and neuron ${neuron} at each token. Up and down select a neuron, left and right a token.`,
  headline: (neuron: number, layer: number, at: Token, value: Piece): Sentence =>
    sentence`Neuron ${String(neuron)} of layer ${integer(layer)} answers most to ${token(at)}: ${value}.`,
  zero: (neuron: number, layer: number) => `Neuron ${neuron} of layer ${integer(layer)} is 0 at every token.`,
  offHeadline: {
    neuron: (neuron: number, layer: number) => `Neuron ${neuron} of layer ${integer(layer)} is off: 0 at every token.`,
    network: (_: number, layer: number) =>
      `The feed-forward network of layer ${integer(layer)} is off: all its neurons are 0.`,
  },
  line: (at: Token, value: Piece, strongest: number, most: Piece): Sentence =>
    sentence`At ${query(at)} it is ${value}; the strongest neuron there is ${String(strongest)}, with ${most}.`,
  isStrongest: (at: Token, value: Piece): Sentence =>
    sentence`At ${query(at)} it is the strongest neuron, with ${value}.`,
  next: 'the next token',
  stays: (change: string, place: Piece, fill: string, before: string, after: Piece): Sentence =>
    sentence`${capital(change)} the best prediction for ${place} stays ${token(fill)}: ${before} → ${after}.`,
  turns: (change: string, place: Piece, from: string, before: string, to: string, after: Piece): Sentence =>
    sentence`${capital(change)} the best prediction for ${place} turns from ${token(from)} (${before}) to ${token(to)} (${after}).`,
  nothingPredicted: (change: string) =>
    `${capital(change)}: nothing is predicted here, and the other views show what changes.`,
  columnsNote: (isGated: boolean) =>
    `Value: what the second projection reads. Before: the number before the activation function.${isGated ? ' Gate: likewise.' : ''}`,
  byWeights: 'Reads and writes follow from the weights alone: norms and later layers are left out.',
  skipsHead:
    'What it writes is an approximation: the output head’s own layer is left out, and word embeddings stand for its matrix.',
  noWrites: {
    encoder: 'The encoder predicts no tokens: what its neurons write has no names.',
    none: 'This model has no output head for the vocabulary: what its neurons write has no names.',
  },
  moved: (neuron: number, value: number) => `Neuron ${neuron}: ${signed(value)}`,
  movedTo: (of: string, value: number) => `${of}: ${signed(value)}`,
  table: 'strongest neurons',
  header: ['neuron', 'value', 'before activation', 'gate before activation'],
  tokenTable: (neuron: number) => `neuron ${neuron} at each token`,
  tokenHeader: ['token', 'position', 'value'],
  wordTable: 'reads and writes',
  wordHeader: ['list', 'token', 'id', 'number'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
