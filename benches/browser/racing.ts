// Runtimes side by side in a page: each in a worker of its own, run in turn.
import type { Contender, Ran, Ready } from './contender'
import { turnOrder } from './turnOrder'

/** Of one contender: what came before its first run, that run, and the milliseconds of those in turn. */
export interface Raced extends Ready, Omit<Ran, 'milliseconds'> {
  first: number
  runs: number[]
}

/** One text through one model on one backend. */
export interface Race {
  model: string
  tokens: number
  backend: 'cpu' | 'gpu'
  contenders: Contender[]
}

/** Runs all contenders so many times in turn. `tell` hears how far it is. @throws {Error} where the page is not isolated, or one of them fails */
export async function raceAll(contenders: Contender[], runs: number, tell = (_: string) => {}): Promise<Raced[]> {
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
    tell(`${contender.name} starts`)
    const worker = new Worker('/target/bench/contender.js', { type: 'module' })
    const ready = await told<Ready>(worker, contender)
    const { milliseconds: first, ...ran } = await told<Ran>(worker, 'run')
    all.push({ worker, raced: { ...ready, ...ran, first, runs: [] as number[] } })
  }
  for (let turn = 0; turn < runs; turn++) {
    tell(`turn ${turn + 1} of ${runs}`)
    for (const at of turnOrder(turn, all.length)) {
      const { worker, raced } = all[at]!
      const { milliseconds, ...ran } = await told<Ran>(worker, 'run')
      raced.runs.push(milliseconds)
      Object.assign(raced, ran)
    }
  }
  for (const { worker } of all) worker.terminate()
  return all.map(({ raced }) => raced)
}
