// What About says where this machine is measured: fetched with that room. A report is read by people everywhere: it is in English, its numbers plain.
import { plural } from '../../numbers'

export const machine = {
  title: 'Measure this machine',
  what: 'A short benchmark of this browser: products on each backend, runs of the model that is open at 16 and 128 tokens, and its writing where it writes. It takes up to a minute, in engines of its own, and sends nothing anywhere; the report is yours to copy.',
  start: 'Measure',
  stop: 'Stop',
  copy: 'Copy report',
  copied: 'Copied.',
  stopped: 'Stopped: the report has what was measured until then.',
  noModel: 'No model is open yet: it is measured, too.',
  backends: { cpu: 'CPU', gpu: 'GPU' },
  steps: {
    starting: (backend: string) => `${backend}: the engine starts …`,
    product: (backend: string, rows: number) => `${backend}: a product of ${rows} rows …`,
    run: (backend: string, tokens: number) => `${backend}: a run of ${tokens} tokens …`,
    writing: (backend: string) => `${backend}: writing …`,
  },
  report: {
    title: 'ropescope, measured on this machine',
    missing: (backend: string, why: string) => `${backend}: not there (${why})`,
    backend: (backend: string, adapter: string) => `${backend}${adapter && `: ${adapter}`}`,
    threads: (count: number) => `${count} ${plural(count, 'thread', 'threads')}`,
    failed: (backend: string, why: string) => `${backend}: ended early (${why})`,
    product: (rows: number, inner: number, columns: number, gigaflops: string) =>
      `  product ${rows} × ${inner} × ${columns}, rotated: ${gigaflops} GFLOP/s`,
    run: (tokens: number, median: string, least: string, runs: number) =>
      `  run of ${tokens} tokens: median ${median} ms, least ${least} ms of ${runs} ${plural(runs, 'run', 'runs')}`,
    writing: (perSecond: string, tokens: number) => `  writing: ${perSecond} tokens/s, of ${tokens} greedy tokens`,
    model: (architecture: string, layers: number, heads: number, hidden: number, parameters: number, kept: string) =>
      `model: ${architecture}, ${layers} layers × ${heads} heads, hidden size ${hidden}, ${parameters} parameters, matrices kept as ${kept}`,
    offered: (cores: number, isolated: boolean) =>
      `processors offered to the page: ${cores}; cross-origin isolated: ${isolated ? 'yes' : 'no'}`,
    browser: (name: string) => `browser: ${name}`,
    when: (date: string) => `date: ${date}`,
  },
}
