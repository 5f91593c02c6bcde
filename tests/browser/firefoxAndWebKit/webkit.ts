// WebKitGTK by WebDriver, on a screen of its own: the browser has no mode without one.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import type { Visitor } from './visitor'

/** Debian's MiniBrowser, or the program that WEBKIT names, as `cargo xtask test` sets it. */
const program = process.env['WEBKIT'] ?? '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'

/** The key under which WebDriver gives an element. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

export interface WebKit {
  url: string
  close(): Promise<void>
}

/** Starts a screen and the driver. @throws where the browser or the driver is missing. */
export async function startWebKit(): Promise<WebKit> {
  if (!existsSync(program)) throw new Error(`there is no ${program}: install webkit2gtk-driver`)
  // Xvfb takes a free display and writes its number.
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const display = screen.stdio[3]
  if (!display) throw new Error('Xvfb has no third pipe')
  const [number] = (await once(createInterface(display as NodeJS.ReadableStream), 'line')) as [string]
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${number}` },
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  await listening(url, driver)
  return {
    url,
    close: async () => {
      for (const process of [driver, screen]) await ended(process)
    },
  }
}

/** A session without traces of earlier visits. */
export async function webKitVisitor({ url }: WebKit): Promise<Visitor> {
  const options = { binary: program, args: ['--automation'] }
  const capabilities = { alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options } }
  const made = await send<{ sessionId: string; capabilities: { browserVersion: string } }>('POST', `${url}/session`, {
    capabilities,
  })
  const session = `${url}/session/${made.sessionId}`
  const post = <T>(path: string, body: object = {}) => send<T>('POST', `${session}/${path}`, body)
  const element = async (selector: string) =>
    (await post<Record<string, string>>('element', { using: 'css selector', value: selector }))[elementKey]
  await post('timeouts', { script: 60_000, pageLoad: 60_000 })
  return {
    browser: `webkit/${made.capabilities.browserVersion}`,
    open: async (address) => {
      // An address that differs by its fragment alone loads nothing.
      await post('url', { url: 'about:blank' })
      await post('url', { url: address })
    },
    reload: () => post('refresh'),
    evaluate: async (work, ...given) => {
      const script = `const end = arguments[arguments.length - 1]
        Promise.resolve().then(() => (${work})(...arguments)).then(
          (value) => end({ value }),
          (error) => end({ error: String(error) }),
        )`
      const { value, error } = await post<{ value?: never; error?: string }>('execute/async', { script, args: given })
      if (error !== undefined) throw new Error(error)
      // WebDriver has no undefined.
      return value ?? (undefined as never)
    },
    click: async (selector) => post(`element/${await element(selector)}/click`),
    type: (text) =>
      post('actions', {
        actions: [
          {
            type: 'key',
            id: 'keyboard',
            actions: [...text].flatMap((value) => [
              { type: 'keyDown', value },
              { type: 'keyUp', value },
            ]),
          },
        ],
      }),
    choose: async (selector, paths) => post(`element/${await element(selector)}/value`, { text: paths.join('\n') }),
    close: () => send('DELETE', session),
  }
}

async function send<T>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${value.error}: ${value.message}`)
  return value
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Waits until the driver answers. @throws where it ends before. */
async function listening(url: string, driver: ChildProcess): Promise<void> {
  const failure = once(driver, 'exit').then(
    () => 'it ended',
    (error: unknown) => String(error),
  )
  let wrong: string | undefined
  void failure.then((reason) => (wrong = reason))
  for (;;) {
    if (wrong !== undefined) throw new Error(`WebKitWebDriver does not start: ${wrong}`)
    if (await fetch(`${url}/status`).catch(() => undefined)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return
  const exit = once(process, 'exit')
  process.kill()
  await exit
}
