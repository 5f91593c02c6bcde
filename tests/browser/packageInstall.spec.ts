// The commands by which the READMEs install the package, run by npm with a registry of the test's own.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, root } from './explorer'
import { archive, test } from './packed'

interface Manifest {
  name: string
  version: string
  devDependencies?: Record<string, string>
}

const built = join(root, 'target/package/ropescope')
const examples = join(root, 'examples')

const manifestOf = async (folder: string): Promise<Manifest | undefined> => {
  const json = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
  return json === undefined ? undefined : (JSON.parse(json) as Manifest)
}

/**
 * Has the packed package as npm's registry would, and of these other packages nothing but the version.
 * @param others versions by name
 */
async function openRegistry(others: ReadonlyMap<string, string>): Promise<Server> {
  const [bytes, manifest] = [await readFile(archive), await manifestOf(built)]
  if (!manifest) throw new Error(`${built} has no package`)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? ''
    if (name === basename(archive)) return void response.end(bytes)
    const { port } = server.address() as AddressInfo
    const tarball = `http://127.0.0.1:${port}/${basename(archive)}`
    const version = name === manifest.name ? manifest.version : others.get(name)
    if (version === undefined) return void response.writeHead(404).end('{}')
    const about = name === manifest.name ? manifest : { name, version }
    const versions = { [version]: { ...about, dist: { tarball, integrity } } }
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** The commands of a README that install packages. */
async function installs(readme: string): Promise<string[]> {
  const text = await readFile(readme, 'utf8')
  return [...text.matchAll(/(?:`|^)(npm install[^`\n]*)(?:`|$)/gm)].map(([, command = '']) => command)
}

const filesOf = async (folder: string) => (await readdir(folder, { recursive: true })).sort()

test('@cpu the READMEs install the package', async () => {
  const folders = (await readdir(examples)).map((name) => join(examples, name))
  const manifests = await Promise.all(folders.map(manifestOf))
  const tools = manifests.flatMap((manifest) => Object.entries(manifest?.devDependencies ?? {}))
  const server = await openRegistry(new Map(tools.map(([name, range]) => [name, range.replace('^', '')])))
  const cache = await mkdtemp(join(tmpdir(), 'ropescope-'))
  const settings = {
    npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    npm_config_cache: cache,
    // Bundlers are the repository's own.
    npm_config_omit: 'dev',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
  const readmes = folders.map((example) => [example, join(example, 'README.md')] as const)
  let count = 0
  for (const [example, readme] of [...readmes, [join(examples, 'plain'), join(root, 'package/README.md')] as const])
    for (const command of await installs(readme)) {
      const folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
      await cp(example, folder, { recursive: true })
      await cp(archive, join(folder, basename(archive)))
      const [program = '', ...words] = command.replace('FOLDER', built).split(' ')
      await promisify(execFile)(program, words, { cwd: folder, env: { ...process.env, ...settings } })
      const installed = await filesOf(join(folder, 'node_modules/ropescope/'))
      expect(installed, `${readme}: ${command}`).toEqual(await filesOf(built))
      await rm(folder, { recursive: true })
      count++
    }
  expect(count).toBeGreaterThan(10)
  await rm(cache, { recursive: true })
  server.close()
})
