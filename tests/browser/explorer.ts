import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import type { FromWorker, ToWorker } from '../../web/engine/protocol/messages'
import type { Backend, GridPixels, RunResult, Simulation } from '../../web/engine/protocol/protocol'
import type { Result, Params, RequestKind } from '../../web/engine/protocol/requests'
import { countGpuCalls, type GpuCalls } from './gpuCalls'
import { writeTinyModel } from './tinyModel'

export const root = resolve(import.meta.dirname, '../..')
export const bundledModel = join(root, 'models/roformer-english')

export interface Options {
  backend: Backend
  /** The model that replaces the bundled one: `tiny` runs on SwiftShader in milliseconds. */
  model: 'tiny' | 'bundled'
}

/** SwiftShader compiles for a while. Playwright's default intervals grow to a second, which would waste time. */
const patience = { timeout: 90_000, intervals: [100] }

interface Fixtures {
  /** Folder of the tiny model: config.json, model.safetensors, vocab.txt, tokenizer.json. */
  tinyModel: string
  explorer: Explorer
}

declare global {
  interface Window {
    /** The page's newest worker, all messages to its workers, and all messages from them. */
    engineWorker: Worker
    toWorker: ToWorker[]
    fromWorker: FromWorker[]
    /** The ids of requests that wait for an answer, of each worker that has not ended: the page answers those of an ended one itself. */
    openRequests: Map<Worker, Set<number>>
    ropescopeSimulate?: Simulation
  }
}

/** The page under test, and the messages of its worker. */
export class Explorer {
  /** Other origins that a test lets the page contact. */
  readonly others = new Set<string>()
  /** Errors that a test expects in the page. Any other one fails it. */
  readonly caused = new Set<string>()

  constructor(
    readonly page: Page,
    readonly backend: Backend,
    /** The page's origin; requests to any other fail the test. */
    public origin: string,
  ) {}

  /** Opens the page with this hash (the backend is added), and waits for the first result and for the adapter's check. */
  async open(hash: Record<string, string> = {}): Promise<void> {
    await this.visit(hash)
    await this.result()
    if (this.backend === 'gpu') await this.message('adapterPassed')
    expect((await this.message('started')).info.backend).toBe(this.backend)
  }

  /** Opens the page and waits for nothing. */
  async visit(hash: Record<string, string> = {}): Promise<void> {
    await this.page.goto(`./#${new URLSearchParams({ backend: this.backend, ...hash })}`)
  }

  /** Follows a link in the open page, from a place that no step before has touched, and waits until all is answered. */
  async follow(hash: Record<string, string> = {}): Promise<void> {
    await this.page.mouse.move(0, 0)
    const link = `#${new URLSearchParams({ backend: this.backend, ...hash })}`
    const change = () =>
      this.page.evaluate(async (link) => {
        for (const dialog of document.querySelectorAll('dialog')) dialog.close()
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
        const followed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
        if (location.hash !== link) {
          location.hash = link
          await followed
        }
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      }, link)
    // A link of the visitor's own model or of the hub has more than its name.
    const name = (hash['model'] ?? basename(bundledModel)).replace(/^\w+:|@.*$/g, '')
    await change()
    const { id } = await this.message('loaded', ({ model }) => model.name === name)
    // The former model may still run a text while this one loads.
    const runs = () =>
      this.page.evaluate(
        (id) =>
          window.toWorker.some((sent) => sent.type === 'request' && sent.kind === 'run' && sent.params.model === id),
        id,
      )
    await expect.poll(runs, { message: `a run of ${name}`, ...patience }).toBe(true)
    await this.settled()
  }

  /**
   * A step of a test, which begins with a link of its own: to open a page for each would take most of the time. The window gets its size
   * back; what is stored in the browser, and the colour scheme, remain for the next step.
   */
  step(title: string, hash: Record<string, string>, check: () => Promise<void>): Promise<void> {
    return base.step(title, async () => {
      if (this.page.url() === 'about:blank') await this.open(hash)
      else await this.follow(hash)
      const size = this.page.viewportSize()
      await check()
      if (size) await this.page.setViewportSize(size)
    })
  }

  /** The newest message of a type, once `accept` takes it. */
  async message<T extends FromWorker['type']>(
    type: T,
    accept: (message: Extract<FromWorker, { type: T }>) => boolean = () => true,
  ): Promise<Extract<FromWorker, { type: T }>> {
    let found: Extract<FromWorker, { type: T }> | undefined
    await expect
      .poll(
        async () => {
          const newest = await this.page.evaluate(
            (type) => window.fromWorker.findLast((message) => message.type === type),
            type,
          )
          found = newest as Extract<FromWorker, { type: T }> | undefined
          return found !== undefined && accept(found)
        },
        { message: `the worker's message "${type}"`, ...patience },
      )
      .toBe(true)
    if (!found) throw new Error(`no message ${type}`)
    return found
  }

  /** How many messages of this type the worker has sent. */
  count(type: FromWorker['type']): Promise<number> {
    return this.page.evaluate((type) => window.fromWorker.filter((message) => message.type === type).length, type)
  }

  /** How many chunks of results of this kind the worker has sent. */
  parts(kind: RequestKind): Promise<number> {
    return this.page.evaluate(
      (kind) => window.fromWorker.filter((message) => message.type === 'chunk' && message.kind === kind).length,
      kind as string,
    )
  }

  /** The newest result of a kind, once `accept` takes it. */
  async answered<K extends RequestKind>(
    kind: K,
    accept: (answer: Result<K>) => boolean = () => true,
  ): Promise<Result<K>> {
    let found: Result<K> | undefined
    await expect
      .poll(
        async () => {
          const newest = await this.page.evaluate(
            (kind) => window.fromWorker.findLast((message) => message.type === 'result' && message.kind === kind),
            kind as string,
          )
          found = newest?.type === 'result' ? (newest.result as Result<K>) : undefined
          return found !== undefined && accept(found)
        },
        { message: `an answer to "${kind}"`, ...patience },
      )
      .toBe(true)
    if (found === undefined) throw new Error(`no answer to ${kind}`)
    return found
  }

  /** How many results of this kind the worker has sent. */
  answers(kind: RequestKind): Promise<number> {
    return this.page.evaluate(
      (kind) => window.fromWorker.filter((message) => message.type === 'result' && message.kind === kind).length,
      kind,
    )
  }

  /** How many requests of this kind the page has sent. */
  requestCount(kind: RequestKind): Promise<number> {
    return this.page.evaluate(
      (kind) => window.toWorker.filter((message) => message.type === 'request' && message.kind === kind).length,
      kind,
    )
  }

  /** Waits until the text on screen has run and every request has an answer. */
  async settled(): Promise<void> {
    const open = () =>
      this.page.evaluate(() => {
        const requests = [...window.openRequests.values()].reduce((sum, { size }) => sum + size, 0)
        return requests + document.querySelectorAll('.bench[aria-busy=true]').length
      })
    await expect.poll(open, { message: 'questions without an answer', ...patience }).toBe(0)
  }

  /** The newest result, once it has this length. */
  result(length?: number): Promise<RunResult> {
    return this.answered('run', (result) => length === undefined || result.length === length)
  }

  /** Runs an action that starts a run, and waits for its result. */
  async resultAfter(action: () => Promise<unknown>): Promise<RunResult> {
    const before = await this.answers('run')
    await action()
    await expect.poll(() => this.answers('run'), { message: 'another run', ...patience }).toBeGreaterThan(before)
    return this.result()
  }

  /** Sends the worker a message behind the page's back. */
  post(message: ToWorker): Promise<void> {
    return this.page.evaluate((message) => window.engineWorker.postMessage(message), message as object)
  }

  /** Sends the worker a request behind the page's back, and waits for its result or failure. */
  async ask<K extends RequestKind>(kind: K, params: Params<K>): Promise<Result<K>> {
    const id = 1e9 + Math.floor(Math.random() * 1e6)
    await this.post({ type: 'request', id, kind, params } as ToWorker)
    const ended = () =>
      this.page.evaluate(
        (id) =>
          window.fromWorker.find(
            (message) => (message.type === 'result' || message.type === 'failed') && message.id === id,
          ),
        id,
      )
    const message = `the answer to "${kind}"`
    await expect.poll(async () => (await ended()) !== undefined, { message, ...patience }).toBe(true)
    const reply = await ended()
    if (reply?.type !== 'result') throw new Error(`${message}: ${JSON.stringify(reply)}`)
    return reply.result as Result<K>
  }

  /** The pixels of all heads from one painter, once the page has sent the layout. */
  async gridPixels(painter: Backend): Promise<GridPixels> {
    const laidOut = () => this.page.evaluate(() => window.toWorker.some(({ type }) => type === 'layout'))
    await expect.poll(laidOut, { message: 'a layout of the grid' }).toBe(true)
    return this.ask('gridPixels', { painter })
  }

  get textBox(): Locator {
    return this.page.getByTestId('text')
  }

  /** Replaces the text in one step. */
  async type(text: string): Promise<void> {
    await this.textBox.fill(text)
  }

  /** Waits until the link contains these values; null: does not contain the field. */
  async shown(choices: Record<string, string | null>): Promise<void> {
    const link = () => {
      const hash = new URLSearchParams(new URL(this.page.url()).hash.replace(/^#(\/[\w/]+\?)?/, ''))
      return Object.fromEntries(Object.keys(choices).map((name) => [name, hash.get(name)]))
    }
    await expect.poll(link, { message: 'the link' }).toEqual(choices)
  }

  /** All WebGPU calls of the worker since its start. */
  gpuCalls(): Promise<GpuCalls> {
    const worker = this.page.workers().at(-1)
    if (!worker) throw new Error('the page has no worker')
    return worker.evaluate(() => self.gpuCalls)
  }
}

/** Runs in the page before its own code: records the messages to and from the engine's workers. */
function keepMessages(): void {
  window.toWorker = []
  window.fromWorker = []
  window.openRequests = new Map()
  const ends = new Set<FromWorker['type']>(['result', 'dropped', 'failed'])
  window.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      // A thread of the engine, which has one message.
      if (options?.name === 'ropescope helper') return
      window.engineWorker = this
      const open = new Set<number>()
      window.openRequests.set(this, open)
      this.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
        window.fromWorker.push(data)
        if (ends.has(data.type) && 'id' in data && data.id !== undefined) open.delete(data.id)
      })
    }

    override postMessage(message: ToWorker, options?: StructuredSerializeOptions | Transferable[]): void {
      const open = window.openRequests.get(this)
      if (open) window.toWorker.push(message)
      if (message.type === 'request') open?.add(message.id)
      super.postMessage(message, Array.isArray(options) ? { transfer: options } : options)
    }

    override terminate(): void {
      window.openRequests.delete(this)
      super.terminate()
    }
  }
}

/** Holds back the page's messages to the worker, or its requests of one kind. Returns what sends them on. */
export async function holdMessages(page: Page, kind?: RequestKind): Promise<() => Promise<void>> {
  const handle = await page.evaluateHandle(
    (kind) => {
      type Sent = [message: ToWorker, transfer: Transferable[]]
      const worker = window.engineWorker
      const post: (...sent: Sent) => void = worker.postMessage.bind(worker)
      const waiting: Sent[] = []
      worker.postMessage = (...all: unknown[]) => {
        const sent = all as Sent
        const [message] = sent
        if (kind === undefined || (message.type === 'request' && message.kind === kind)) waiting.push(sent)
        else post(...sent)
      }
      return () => {
        worker.postMessage = post as Worker['postMessage']
        for (const sent of waiting) post(...sent)
      }
    },
    kind as string | undefined,
  )
  return () => handle.evaluate((release) => release())
}

/** CSS px by which the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

export const test = base.extend<Options & Fixtures>({
  backend: ['cpu', { option: true }],
  model: ['tiny', { option: true }],

  tinyModel: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
    await writeTinyModel(folder)
    await use(folder)
    await rm(folder, { recursive: true })
  },

  explorer: async ({ page, backend, model, tinyModel, baseURL }, use) => {
    const explorer = new Explorer(page, backend, new URL(baseURL ?? '').origin)
    const errors: string[] = []
    page.on('pageerror', (error) => !explorer.caused.has(error.message) && errors.push(String(error)))
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.protocol.startsWith('http') && url.origin !== explorer.origin && !explorer.others.has(url.origin))
        errors.push(`a request to ${url}`)
    })
    await page.addInitScript(keepMessages)
    if (backend === 'gpu') await countGpuCalls(page)
    if (model === 'tiny') {
      await page.route('**/models/*/*', async (route) => {
        const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
        const body = await readFile(join(tinyModel, name)).catch(() => undefined)
        if (body) await route.fulfill({ body, contentType: 'application/octet-stream' })
        else await route.fulfill({ status: 404 })
      })
    }
    await use(explorer)
    // Requests after the test's end do not matter.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(errors, 'errors and foreign requests of the page').toEqual([])
  },
})

export { expect }
