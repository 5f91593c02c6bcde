import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readSafetensors, type Tensor } from '../../benches/browser/safetensors'

/** The folder of the programs that `cargo build` made. */
export const programs = process.env['PROGRAMS'] ?? resolve(import.meta.dirname, '../../target/debug')
const program = (name: string): string => join(programs, process.platform === 'win32' ? `${name}.exe` : name)

const call = promisify(execFile)

/** The tensors of `ropescope run` for a text, by Hugging Face's names: on the CPU, unless `more` has a backend. */
export async function run(model: string, text: string, ...more: string[]): Promise<Map<string, Tensor>> {
  const folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
  const output = join(folder, 'out.safetensors')
  const taps = ['--taps', 'hidden_states,attentions']
  await call(program('ropescope'), [
    'run',
    '--model',
    model,
    '--text',
    text,
    ...(more.includes('--backend') ? [] : ['--backend', 'cpu']),
    ...taps,
    ...more,
    '--output',
    output,
  ])
  const tensors = readSafetensors(await readFile(output))
  await rm(folder, { recursive: true })
  return tensors
}

/** One head's map among the tensors of `ropescope run`: (length, length). */
export function mapOf(tensors: Map<string, Tensor>, layer: number, head: number): Float32Array {
  const maps = tensors.get(`attentions.${layer}`)
  if (!maps) throw new Error(`no maps of layer ${layer}`)
  const cells = (maps.shape[2] ?? NaN) ** 2
  return maps.data.slice(head * cells, (head + 1) * cells)
}

/** The largest difference of two lists of numbers; infinite where one is longer, or has a number that is none. */
export function difference(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (found.length !== expected.length) return Infinity
  const differences = Array.from(found, (value, at) => Math.abs(value - (expected[at] ?? NaN)))
  return differences.some(Number.isNaN) ? Infinity : differences.reduce((most, one) => Math.max(most, one), 0)
}

/** The tokens of `ropescope generate` on the CPU, greedy. */
export async function generate(model: string, text: string, count: number): Promise<number[]> {
  const how = ['--max-new-tokens', String(count), '--temperature', '0', '--backend', 'cpu', '--json']
  const { stdout } = await call(program('ropescope'), ['generate', '--model', model, '--text', text, ...how])
  const { ids } = JSON.parse(stdout) as { ids: [number[]] }
  return ids[0].slice(-count)
}

/** A head of heads.json. */
export type DescribedHead = Record<
  | 'layer'
  | 'head'
  | 'entropy'
  | 'distance'
  | 'previous'
  | 'next'
  | 'same'
  | 'first'
  | 'repeated'
  | 'special'
  | 'induction'
  | 'largest'
  | 'concentration'
  | 'correlation',
  number
>

/** The statistics of `ropescope heads` over one text of so many tokens on the CPU. */
export async function heads(model: string, text: string, length: number): Promise<DescribedHead[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
  const file = join(folder, 'text.txt')
  await writeFile(file, text)
  const how = ['--rows', '1', '--length', String(length), '--backend', 'cpu', '--json']
  const { stdout } = await call(program('ropescope'), ['heads', '--model', model, '--text-file', file, ...how])
  await rm(folder, { recursive: true })
  return (JSON.parse(stdout) as { heads: DescribedHead[] }).heads
}

/** The bounds of `ropescope decay`, by distance. */
export async function decay(headSize: number, base: number, maxDistance: number): Promise<number[]> {
  const parameters = ['--head-dim', headSize, '--base', base, '--max-distance', maxDistance].map(String)
  const { stdout } = await call(program('ropescope'), ['decay', ...parameters])
  return stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => Number(row.split(',')[1]))
}

/** Sizes of a random model. */
export interface Sizes {
  layers: number
  hidden: number
  heads: number
  intermediate: number
  vocabulary: number
}

/** Writes a seeded RoFormerForMaskedLM: config.json and model.safetensors. */
export async function makeModel(folder: string, sizes: Sizes): Promise<void> {
  const options = Object.entries(sizes).flatMap(([name, size]) => [`--${name}`, String(size)])
  await call(program('ropescope-bench'), ['make-model', folder, ...options])
}
