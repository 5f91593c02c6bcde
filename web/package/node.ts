// The package in Node, for tests: the same engine without a worker, on the CPU.
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { cwd } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { WorkerLike } from '../engine/client/client'
import { Host } from '../engine/worker/host'
import { textOf } from '../engine/protocol/failure'
import type { FromWorker } from '../engine/protocol/messages'
import { messages } from './messages.en'
import init, * as wasm from '../wasm/ropescope.js'
import { error } from './errors'
import { loader, type Source } from './load'

const base = () => pathToFileURL(`${cwd()}/`).href
let started: Promise<typeof wasm> | undefined

/** As in a page. `source` may also be a folder's path or its file: address. The engine runs on the caller's thread. */
export const load = loader({
  spawn: inProcess,
  base,
  read: async (source) =>
    typeof source === 'string' || source instanceof URL ? readFolder(new URL(source, base())) : source,
})

export type * from './types'
export { RopescopeError } from './errors'

/** The worker's side of the protocol on this thread. A message takes a turn of the event loop, as a worker's does. */
function inProcess(): WorkerLike {
  let ended = false
  const worker: WorkerLike = {
    postMessage: (message) => setImmediate(() => !ended && host.receive(message)),
    terminate: () => (ended = true),
    onmessage: null,
    onerror: null,
  }
  const host = new Host({
    post: (data) => setImmediate(() => !ended && worker.onmessage?.({ data } as MessageEvent<FromWorker>)),
    surface: () => (started ??= start()),
    surroundings: { gpu: undefined, secure: true },
    build: undefined,
    yieldToEventLoop: () => new Promise((resolve) => setImmediate(resolve)),
    now: () => performance.now(),
  })
  return worker
}

async function start(): Promise<typeof wasm> {
  await init({ module_or_path: await readFile(new URL('./ropescope_bg.wasm', import.meta.url)) })
  wasm.giveShaders('')
  return wasm
}

/** Reads the files of a file: address. Other addresses are fetched later. */
async function readFolder(address: URL): Promise<Source> {
  if (address.protocol !== 'file:') return address
  const folder = fileURLToPath(address)
  try {
    const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
    return await Promise.all(names.map(({ name }) => readFileOf(folder, name)))
  } catch (reason) {
    throw error('missing-file', messages.notFolder(folder, textOf(reason)))
  }
}

/** A File with a relative path, as a browser's folder picker returns it. */
async function readFileOf(folder: string, name: string): Promise<File> {
  const file = new File([await readFile(join(folder, name))], name)
  return Object.defineProperty(file, 'webkitRelativePath', { value: `${basename(folder)}/${name}` })
}
