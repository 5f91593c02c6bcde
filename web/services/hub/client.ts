// The hub's two interfaces: a model's listing, and its files.
import { failure, textOf } from '../../engine/protocol/failure'
import type { Failure } from '../../engine/protocol/protocol'
import { t } from './messages.en'
import { hubBase, pageOf, writeAddress, type HubAddress } from './address'
import { readListing, type Listing } from './listing'

export type Fetch = (url: string, options: RequestInit) => Promise<Response>

interface HubAsset {
  address: HubAddress
  /** A file's path; undefined: the model itself. */
  path?: string
}

/** A header with the reason of a refusal, where the page may read it. */
const errorCode = 'x-error-code'

export class HubClient {
  readonly #fetch: Fetch

  constructor(fetch: Fetch) {
    this.#fetch = fetch
  }

  /** @throws {Failure} */
  async listing(address: HubAddress, signal: AbortSignal): Promise<Listing> {
    const { owner, name, revision } = address
    const path = `/api/models/${owner}/${name}/revision/${encodeURIComponent(revision)}?blobs=true`
    const response = await this.#get(path, { address }, signal)
    let answer: unknown
    try {
      answer = await response.json()
    } catch (error) {
      if (signal.aborted) throw cancelFailure()
      throw failure('hub-answer', () => `${t().failures.strangeAnswer} (${textOf(error)})`, true)
    }
    return readListing(answer, address)
  }

  /**
   * A file's bytes from `from` on, or the whole file, by the status of the response. If-Range, which needs a preflight request, is not
   * necessary, because the address names the commit.
   * @throws {Failure}
   */
  file(listing: Listing, path: string, from: number, signal: AbortSignal): Promise<Response> {
    const { owner, name, commit } = listing
    const address = `/${owner}/${name}/resolve/${commit}/${encodeURIComponent(path)}`
    return this.#get(address, { address: listing, path }, signal, from)
  }

  async #get(path: string, subject: HubAsset, signal: AbortSignal, from = 0): Promise<Response> {
    let response: Response
    try {
      response = await this.#fetch(hubBase + path, {
        signal,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        // The page stores the files: the browser's cache would store them twice.
        cache: 'no-store',
        ...(from > 0 ? { headers: { range: `bytes=${from}-` } } : {}),
      })
    } catch (error) {
      if (signal.aborted) throw cancelFailure()
      throw failure('hub-unreachable', () => t().failures.unreachable(textOf(error)), true)
    }
    if (!response.ok) throw refusal(response, subject)
    return response
  }
}

function refusal(response: Response, { address, path }: HubAsset): Failure {
  const { status } = response
  const name = writeAddress(address)
  const code = response.headers.get(errorCode)
  if (code === 'RevisionNotFound') return failure('hub-missing', () => t().failures.noRevision(address))
  if (code === 'GatedRepo' || status === 403 || (status === 401 && path !== undefined)) {
    return failure('hub-gated', () => t().failures.gated(name, pageOf(address)))
  }
  if (path !== undefined && status === 404) return failure('hub-missing', () => t().failures.noFile(path, name), true)
  // Without an account, private and missing models have the same response.
  if (status === 404 || status === 401) return failure('hub-missing', () => t().failures.missing(name))
  if (status === 416) return failure('hub-length', () => t().failures.shorter(path ?? name), true)
  if (status === 429) {
    const wait = secondsOf(response)
    return failure('hub-busy', () => t().failures.busy(wait), true)
  }
  return failure('hub-failed', () => t().failures.refused(status), true)
}

/** Retry-After in seconds from now; undefined where the page cannot read it. */
function secondsOf(response: Response): number | undefined {
  const written = response.headers.get('retry-after')
  if (written === null) return undefined
  const seconds = /^\d+$/.test(written.trim()) ? Number(written) : (Date.parse(written) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined
}

export function cancelFailure(): Failure {
  return failure('cancelled', () => t().failures.cancellation, true)
}
