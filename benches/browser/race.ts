// Runtimes side by side: each in a worker of its own in one page, run in turn.
import { mkdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { rolldown } from 'rolldown'
import type { Contender, Ran, Ready } from './contender'

const root = resolve(import.meta.dirname, '../..')

/** Of one contender: what came before its first run, that run, and the milliseconds of those in turn. */
export interface Raced extends Ready, Omit<Ran, 'milliseconds'> {
  first: number
  runs: number[]
}

/** Makes the workers' code, where the server has it. */
export async function bundle(): Promise<void> {
  await mkdir(join(root, 'target/bench'), { recursive: true })
  for (const input of ['benches/browser/contender.ts', 'web/engine/helper.ts']) {
    // What the server has stays where it is.
    const bundle = await rolldown({ input: join(root, input), platform: 'browser', external: /^\/(web|benches)\// })
    await bundle.write({ file: join(root, 'target/bench', basename(input).replace('.ts', '.js')), format: 'esm' })
  }
}

export const race = (page: Page, contenders: Contender[], runs: number): Promise<Raced[]> =>
  page.evaluate(raced, { contenders, runs })

/** Serialised into the page: everything it needs is inside. */
async function raced({ contenders, runs }: { contenders: Contender[]; runs: number }): Promise<Raced[]> {
  if (!crossOriginIsolated) throw new Error('the page is not isolated')
  const told = <T>(worker: Worker, what: Contender | 'run') =>
    new Promise<T>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data as T)
      worker.onerror = ({ message }) => reject(new Error(message))
      worker.addEventListener('error', (event) => event.preventDefault())
      worker.postMessage(what)
    })
  const all = []
  for (const contender of contenders) {
    const worker = new Worker('/target/bench/contender.js', { type: 'module' })
    const ready = await told<Ready>(worker, contender)
    const { milliseconds: first, ...ran } = await told<Ran>(worker, 'run')
    all.push({ worker, raced: { ...ready, ...ran, first, runs: [] as number[] } })
  }
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  const steps = all.map((_, at) => at + 1).filter((step) => divisor(step, all.length) === 1)
  for (let turn = 0; turn < runs; turn++) {
    // Each turn has another order: whoever always came behind the same one would find what that one leaves of the caches.
    const step = steps[turn % steps.length] ?? 1
    for (let place = 0; place < all.length; place++) {
      const { worker, raced } = all[(turn + place * step) % all.length]!
      const { milliseconds, ...ran } = await told<Ran>(worker, 'run')
      raced.runs.push(milliseconds)
      Object.assign(raced, ran)
    }
  }
  for (const { worker } of all) worker.terminate()
  return all.map(({ raced }) => raced)
}
