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
  for (let turn = 0; turn < runs; turn++) {
    for (const { worker, raced } of all) {
      const { milliseconds, ...ran } = await told<Ran>(worker, 'run')
      raced.runs.push(milliseconds)
      Object.assign(raced, ran)
    }
  }
  for (const { worker } of all) worker.terminate()
  return all.map(({ raced }) => raced)
}
