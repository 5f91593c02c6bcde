// The packed npm package, unpacked next to an example, in a served folder.
import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import type * as Package from '../../web/package'
import { root, test as base } from './explorer'

export const archive = join(root, 'target/package/ropescope-0.1.0.tgz')
const endings: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.wgsl': 'text/plain',
}

interface Fixtures {
  /** A copy of an example with the unpacked package in its node_modules. */
  example: (name: string) => Promise<string>
  /** Serves a folder, and nothing but its files. */
  serve: (folder: string) => Promise<string>
}

export const test = base.extend<Fixtures>({
  example: async ({}, use) => {
    const made: string[] = []
    await use(async (name) => {
      const folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
      made.push(folder)
      await cp(join(root, 'examples', name), folder, { recursive: true })
      const installed = join(folder, 'node_modules/ropescope')
      await mkdir(installed, { recursive: true })
      execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1'])
      return folder
    })
    for (const folder of made) await rm(folder, { recursive: true })
  },
  serve: async ({}, use) => {
    const servers: Server[] = []
    await use(async (folder) => {
      const server = createServer((request, response) => void answer(folder, request.url ?? '/', response))
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    })
    for (const server of servers) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  },
})

async function answer(folder: string, url: string, response: import('node:http').ServerResponse): Promise<void> {
  const { pathname } = new URL(url, 'http://host')
  const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
  const size = (await stat(file).catch(() => undefined))?.size
  if (size === undefined) return void response.writeHead(404).end()
  response.writeHead(200, {
    'content-type': endings[extname(file)] ?? 'application/octet-stream',
    'content-length': size,
  })
  createReadStream(file).pipe(response)
}

/** Examples let the package choose the backend; tests override it. */
export async function choose(page: Page, backend: string, script: RegExp): Promise<void> {
  await page.route(script, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const chosen = text.replace(/(models\/roformer-english(?:-causal)?\/["'`])(\)|,\s*\{)/, (_, model, rest) =>
      rest === ')' ? `${model}, { backend: '${backend}' })` : `${model}, { backend: '${backend}',`,
    )
    const told =
      chosen === text ? text : `${chosen}\nglobalThis.usedModel = typeof model === 'object' ? model : undefined`
    await route.fulfill({ response, body: told })
  })
}

/** The package's calls in Node. */
export const packed = (folder: string) =>
  import(pathToFileURL(join(folder, 'node_modules/ropescope/node.js')).href) as Promise<typeof Package>
