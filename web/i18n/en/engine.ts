import { integer, plural } from '../numbers'

export const engine = {
  backendLabel: 'Backend',
  backend: {
    auto: { text: 'Auto', hint: 'The GPU where there is a hardware adapter, else the CPU' },
    gpu: { text: 'GPU', hint: 'WebGPU, on a software adapter, too' },
    cpu: { text: 'CPU', hint: 'WebAssembly' },
  },
  weightsLabel: 'Weights',
  weights: {
    auto: { text: 'Auto', hint: 'As f32 where the model is small, else in the most exact way that fits into memory' },
    f32: { text: 'f32', hint: '4 bytes a number' },
    f16: { text: 'f16', hint: '2 bytes a number, 11 bits of them significant' },
    bf16: { text: 'bf16', hint: '2 bytes a number, 8 bits of them significant' },
    int8: { text: 'int8', hint: 'Whole numbers from -127 to 127, times a scale for every 32: about 1 byte a number' },
    int4: { text: 'int4', hint: 'Whole numbers from -7 to 7, times a scale for every 32: about half a byte a number' },
    stored: { text: 'as stored', hint: 'As the file has them' },
  },
  weightsKept: (format: string, bytes: string) =>
    `Matrices are kept ${format === 'as stored' ? format : `as ${format}`}: ${bytes} of weights`,
  threads: (count: number) =>
    `Products and attention on ${count} ${plural(count, { one: 'thread', other: 'threads' })}`,
  notIsolated: '1 thread: page not isolated',
  refused: '1 thread: the browser does not isolate the page',
  useThreads: (count: number) => `Use ${count} threads (reloads the page once)`,
  useOne: 'Use one thread (reloads the page once)',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  stopped: 'stopped',
  starting: 'starting …',
  seconds: (value: string) => `${value} s`,
  milliseconds: (value: string) => `${value} ms`,
  took: (time: string) => `${time} from submit to result`,
  dispatches: (count: number) => `${integer(count)} ${plural(count, { one: 'dispatch', other: 'dispatches' })}`,
  bytes: (held: string, read: string) => `${held} held, ${read} read back`,
  keys: 'List of keys',
  report: 'Copy report',
  restart: 'Restart engine',
  byHand: 'The browser allowed no copying. Select the report and copy it:',
}
