// WebKitGTK by WebDriver, on a virtual screen: it has no headless mode.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { expect } from '@playwright/test'
import type { Visitor } from './visitor'

/** Debian's MiniBrowser, or the program that WEBKIT names, as `cargo xtask test` sets it. */
const program = process.env['WEBKIT'] ?? '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'

/** WebDriver's key for an element. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/** Time for a driver to open or close its browser, in ms. Sometimes one never answers, and another driver is tried. */
const answerLimit = 30_000

/** A driver's answer after it has opened a browser. */
interface NewSession {
  sessionId: string
  capabilities: { browserVersion: string }
}

interface Session {
  driver: ChildProcess
  /** The session's address at its driver. */
  url: string
  browserVersion: string
}

/** A screen in memory. */
export interface Screen {
  /** Its name for the environment variable DISPLAY. */
  display: string
  close(): Promise<void>
}

/** @throws where the browser is missing. */
export async function startScreen(): Promise<Screen> {
  if (!existsSync(program)) throw new Error(`there is no ${program}: install webkit2gtk-driver`)
  // Xvfb takes a free display and writes its number.
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const pipe = screen.stdio[3]
  if (!pipe) throw new Error('Xvfb has no third pipe')
  const [number] = (await once(createInterface(pipe as NodeJS.ReadableStream), 'line')) as [string]
  return { display: `:${number}`, close: () => endGroup(screen) }
}

/** Starts a driver that opens one browser. @throws where the driver is missing or opens no browser. */
async function startSession({ display }: Screen): Promise<Session> {
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display },
    stdio: 'ignore',
    // A process group, so that the driver's browser ends with it.
    detached: true,
  })
  const url = `http://127.0.0.1:${port}`
  const options = { binary: program, args: ['--automation'] }
  const timeouts = { script: 60_000, pageLoad: 60_000 }
  const alwaysMatch = { browserName: 'MiniBrowser', timeouts, 'webkitgtk:browserOptions': options }
  try {
    await waitForDriver(url, driver)
    const request = { capabilities: { alwaysMatch } }
    const { sessionId, capabilities } = await send<NewSession>('POST', `${url}/session`, request, answerLimit)
    return { driver, url: `${url}/session/${sessionId}`, browserVersion: capabilities.browserVersion }
  } catch (error) {
    await endGroup(driver)
    throw error
  }
}

/** A session without traces of earlier visits. */
export async function webKitVisitor(screen: Screen): Promise<Visitor> {
  const { driver, url, browserVersion } = await startSession(screen).catch(() => startSession(screen))
  const post = <T>(path: string, body: object = {}) => send<T>('POST', `${url}/${path}`, body)
  const element = async (selector: string) =>
    (await post<Record<string, string>>('element', { using: 'css selector', value: selector }))[elementKey]
  return {
    browser: `webkit/${browserVersion}`,
    open: async (address) => {
      // Another fragment alone would load nothing.
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
    close: async () => {
      // A browser that does not close ends with its driver.
      await send('DELETE', url, undefined, answerLimit).catch(() => {})
      await endGroup(driver)
    },
  }
}

/** @throws what the driver says, or where it takes longer than `limit` milliseconds. */
async function send<T>(method: string, url: string, body?: object, limit?: number): Promise<T> {
  const response = await fetch(url, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(limit === undefined ? {} : { signal: AbortSignal.timeout(limit) }),
  })
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

/** Waits until the driver answers. @throws where it does not start. */
async function waitForDriver(url: string, driver: ChildProcess): Promise<void> {
  let failure: string | undefined
  once(driver, 'exit').then(
    () => (failure = 'it ended'),
    (error: unknown) => (failure = String(error)),
  )
  const answers = () =>
    fetch(`${url}/status`).then(
      () => true,
      () => failure !== undefined,
    )
  await expect.poll(answers, { message: 'WebKitWebDriver', intervals: [50] }).toBe(true)
  if (failure !== undefined) throw new Error(`WebKitWebDriver does not start: ${failure}`)
}

/** Ends a process that leads a group, and all of the group. */
async function endGroup(leader: ChildProcess): Promise<void> {
  if (leader.pid === undefined || leader.exitCode !== null || leader.signalCode !== null) return
  const exit = once(leader, 'exit')
  process.kill(-leader.pid, 'SIGKILL')
  await exit
}
