// Names of models on the hub, as visitors type them and as in links.

/** A model on the hub. `revision`: a branch, a tag, a pull request (`refs/pr/1`) or a commit. */
export interface HubAddress {
  owner: string
  name: string
  revision: string
}

export const hubBase = 'https://huggingface.co'

/**
 * The hosts of models, which index.html allows: the hub and those that it redirects downloads to, as it lists them
 * (huggingface.co/.well-known/meta.json and its page on downloads behind a firewall). The last two patterns have a host for each region.
 */
export const hubHosts: readonly string[] = [
  hubBase,
  'https://cdn-lfs.hf.co',
  'https://cdn-lfs-us-1.hf.co',
  'https://cdn-lfs-eu-1.hf.co',
  'https://*.xethub.hf.co',
  'https://*.xethub-eu.hf.co',
  'https://*.aws.cdn.hf.co',
  'https://*.gcp.cdn.hf.co',
]

/** The default revision. */
const mainRevision = 'main'

/** Not of the form owner/name, of another host, or of something else on the hub. */
export type AddressError = 'form' | 'host' | 'kind'

const pageHosts = new Set(['huggingface.co', 'www.huggingface.co', 'hf.co'])
/** First parts of the hub's paths that are not owners. */
const otherKinds = new Set(['datasets', 'spaces', 'docs', 'papers', 'collections', 'blog', 'api', 'models', 'settings'])

const part = /^[A-Za-z0-9][\w.-]{0,95}$/
const revisionForm = /^[A-Za-z0-9_][\w.+/-]{0,199}$/
const pullRequest = /^refs\/pr\/\d+$/

/** Reads `owner/name`, `owner/name@revision` or the address of a model's page. */
export function readAddress(text: string): HubAddress | AddressError {
  const trimmed = text.trim()
  const web = /^(?:https?:\/\/)?((?:[a-z0-9-]+\.)+[a-z]{2,})\/(.*)$/i.exec(trimmed)
  if (web && (trimmed.includes('://') || pageHosts.has((web[1] ?? '').toLowerCase()))) {
    return pageHosts.has((web[1] ?? '').toLowerCase()) ? addressOfPath(web[2] ?? '') : 'host'
  }
  const at = trimmed.indexOf('@')
  const [name, revision] = at < 0 ? [trimmed, mainRevision] : [trimmed.slice(0, at), trimmed.slice(at + 1)]
  return validAddress(name.split('/'), revision)
}

/** `owner/name`, or `owner/name@revision` where that is not `main`. */
export function writeAddress({ owner, name, revision }: HubAddress): string {
  return `${owner}/${name}${revision === mainRevision ? '' : `@${revision}`}`
}

/** The model's web page. */
export function pageOf({ owner, name, revision }: HubAddress): string {
  const tree = revision === mainRevision ? '' : `/tree/${revision.split('/').map(encodeURIComponent).join('%2F')}`
  return `https://huggingface.co/${owner}/${name}${tree}`
}

/** Reads the path of a web page: `owner/name`, or `owner/name/tree/revision/…`. */
function addressOfPath(path: string): HubAddress | AddressError {
  const parts = path
    .replace(/[?#].*$/, '')
    .split('/')
    .filter(Boolean)
  const [owner = '', name = '', view, ...rest] = parts
  if (otherKinds.has(owner)) return 'kind'
  if (view === undefined || !['tree', 'blob', 'raw', 'resolve', 'commit'].includes(view)) {
    return validAddress([owner, name], mainRevision)
  }
  return validAddress([owner, name], revisionOf(rest))
}

/** Slashes of a revision are %2F, of pull requests also slashes; a file's path may follow. */
function revisionOf(parts: readonly string[]): string {
  const start = parts.slice(0, 3).join('/')
  if (pullRequest.test(start)) return start
  try {
    return decodeURIComponent(parts[0] ?? '')
  } catch {
    return ''
  }
}

function validAddress(parts: readonly string[], revision: string): HubAddress | AddressError {
  const [owner = '', name = ''] = parts
  const sound = parts.length === 2 && part.test(owner) && part.test(name) && !/\.\.|--/.test(owner + '/' + name)
  if (!sound || !revisionForm.test(revision) || /\.\.|\/\/|\/$/.test(revision)) return 'form'
  return otherKinds.has(owner) ? 'kind' : { owner, name, revision }
}
