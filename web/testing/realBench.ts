// A bench with the engine behind it, and a model.
import { readFileSync } from 'node:fs'
import { flushSync } from 'svelte'
import { vi } from 'vitest'
import type { WorkerLike } from '../engine/client/client'
import { bundledModels, filesOf } from '../services/bundled'
import { fakePlace } from './fakePlace'
import { Bench } from '../session/bench.svelte'
import { EngineState } from '../session/engine.svelte'

/** Files of a model that comes with the page. @param edit changes them */
export const bundledFiles = (folder: string, edit: (bytes: Buffer) => Buffer = (bytes) => bytes): File[] =>
  bundledModels
    .filter((model) => model.folder === folder)
    .flatMap(filesOf)
    .map((name) => new File([Uint8Array.from(edit(readFileSync(`models/${folder}/${name}`)))], name))

/** @param worker whose `idle` waits until every request is answered */
export async function openBench<W extends WorkerLike & { idle(): Promise<void> }>(
  worker: W,
  name: string,
  text: string,
  files = bundledFiles(name),
) {
  const hash = `#${new URLSearchParams({ text, backend: 'cpu', model: '' })}`
  const bench = new Bench(new EngineState(() => worker), fakePlace(hash).place)
  bench.engine.load({ kind: 'files', name, files })
  /** Waits until the text has its result and no request is open. */
  const complete = async () => {
    flushSync()
    await vi.waitUntil(() => bench.current, { timeout: 30_000 })
    await worker.idle()
    flushSync()
  }
  await complete()
  return { bench, worker, complete }
}
