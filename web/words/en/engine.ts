import { integer, plural } from '../numbers'

export const engine = {
  backendLabel: 'Backend',
  backend: {
    auto: { text: 'Auto', hint: 'The GPU where there is a hardware adapter, else the CPU' },
    gpu: { text: 'GPU', hint: 'WebGPU, on a software adapter, too' },
    cpu: { text: 'CPU', hint: 'WebAssembly, on one core' },
  },
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  stopped: 'stopped',
  starting: 'starting …',
  seconds: (value: string) => `${value} s`,
  milliseconds: (value: string) => `${value} ms`,
  took: (time: string) => `${time} from submit to result`,
  dispatches: (count: number) => `${integer(count)} ${plural(count, 'dispatch', 'dispatches')}`,
  bytes: (held: string, read: string) => `${held} held, ${read} read back`,
  report: 'Copy report',
  restart: 'Restart engine',
  byHand: 'The browser allowed no copying. Select the report and copy it:',
}
