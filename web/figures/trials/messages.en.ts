// Three ways to rotate, and attention by length, timed on the visitor's machine.
import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, plural, significant } from '../../i18n/numbers'
import type { Pair } from './measure.svelte'

const backends = { gpu: 'GPU (WebGPU)', cpu: 'CPU (WebAssembly)' }

const kinds = {
  blocks: 'stored matrices',
  elementwise: 'cosines and sines',
  fused: 'inside the projection',
  softmax: 'softmax',
  map: 'softmax and one map',
  linear: 'linear',
}

const milliseconds = (value: number) => `${significant(value, 3)} ms`

const en = {
  backends,
  kinds,
  measure: 'Measure on this machine',
  again: 'Measure again',
  stop: 'Stop',
  idle: 'Runs in an engine of its own, on one backend after the other.',
  now: (backend: string, kind: string, length: number, headSize: number) =>
    `${backend}: ${kind}, ${integer(length)} tokens, heads of ${integer(headSize)}`,
  missing: (backend: string) => `${backend}: this browser offers none, so there is nothing to measure.`,
  ended: (backend: string, kind: string, length: number, reason: string | undefined, seconds: number) =>
    `${backend}, ${kind}: ends before ${integer(length)} tokens, ${reason === undefined ? `which would take more than ${integer(seconds)} seconds` : `because ${reason}`}.`,
  /** T: tokens. */
  fitted: (label: string, exponent: number) => `${label} ∝ T^${significant(Math.round(exponent * 100) / 100, 3)}`,
  axis: 'tokens T, logarithmic',
  milliseconds: 'milliseconds, logarithmic',
  memory: 'Memory',
  nothing: 'Not measured yet.',
  table: 'measurements',
  columns: ['backend', 'what', 'tokens', 'head size', 'milliseconds'],
  rotations: {
    help: 'The same rotation by stored matrices, by cosines and sines, and inside the projection: the same numbers, not the same cost.',
    source: `RoFormer (Su et al. 2021, arXiv 2104.09864), equations 15 and 34. Four heads of this size are projected and rotated; the time includes both. The bytes are those of the rotation: T·d·d numbers of matrices, almost all of them 0, or T·d cosines and sines. On a GPU, matrices too large for one binding are bound in parts. An often-cited write-up reports 11 h 40 min of training with the matrices and 4 h with the efficient form. That was no controlled comparison: its author writes that other slow parts of the program changed in between, and gives neither machine, batch size nor number of runs. This figure measures the form alone. The difference depends on length, head size and machine, and a complete model spends most of its time elsewhere.`,
    size: 'head size',
    bytes: 'bytes for the rotation',
    headline: (deviation: number, count: number) => ({
      title: deviation
        ? `All three ways give the same numbers: at most ${significant(deviation, 1)} apart.`
        : 'All three ways give the same numbers, to the last digit.',
      line: `${integer(count)} ${plural(count, { one: 'measurement', other: 'measurements' })} of a projection with its rotation.`,
    }),
  },
  lengths: {
    help: 'Softmax compares every token with every other. Linear attention sums keys and values once, and every query reads the sums.',
    source: `RoFormer (Su et al. 2021, arXiv 2104.09864), equation 19, after Katharopoulos et al. 2020 (arXiv 2006.16236). Four heads of 64 with their rotation, every token sees every other; no projections and no feed-forward network. The exponents are fitted by least squares over the longer half of each line; short texts are mostly overhead. The engine stores no map here, so softmax needs quadratic time but linear memory; one head’s map takes T² numbers, up to 4,096 tokens. A line ends before a step that would take more than 5 seconds. It does not measure the quality of a model trained with either.`,
    bytes: 'bytes in memory',
    headline: ({ softmax, linear }: Pair) => {
      const [one, other] = [softmax.milliseconds, linear.milliseconds]
      return {
        title: `${integer(softmax.length)} tokens take softmax ${milliseconds(one)}, linear attention ${milliseconds(other)}.`,
        line: `${backends[softmax.backend]}: ${one > other ? `softmax takes ${decimal(one / other, 1)} times as long` : `linear attention takes ${decimal(other / one, 1)} times as long`}.`,
      }
    },
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
