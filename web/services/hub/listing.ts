// The hub's listing of a model. Every field is checked, because it is foreign data.
import { failure } from '../../engine/protocol/failure'
import { t } from './messages.en'
import type { HubAddress } from './address'

export interface HubFile {
  path: string
  /** Bytes. */
  size: number
  /** Of a large file: 64 hexadecimal digits. */
  sha256?: string
  /** Git's id of a small file: 40 hexadecimal digits. */
  blobId?: string
}

/** A model at a commit. */
export interface Listing extends HubAddress {
  /** The commit of the revision: 40 hexadecimal digits. */
  commit: string
  /** Of the model's card. */
  licence: string | undefined
  /** Whether its files need an account that has agreed to terms. */
  gated: boolean
  /** At the top of the repository. */
  files: readonly HubFile[]
}

const mostFiles = 2000

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the response of `api/models/owner/name/revision/…?blobs=true`. @throws {Failure} */
export function readListing(answer: unknown, address: HubAddress): Listing {
  const commit = isObject(answer) ? answer['sha'] : undefined
  const siblings = isObject(answer) ? answer['siblings'] : undefined
  if (!isObject(answer) || typeof commit !== 'string' || !/^[0-9a-f]{40}$/.test(commit) || !Array.isArray(siblings)) {
    throw failure('hub-answer', () => t().failures.strangeAnswer, true)
  }
  return {
    ...address,
    commit,
    licence: licenceOf(answer),
    gated: answer['gated'] !== undefined && answer['gated'] !== false,
    files: siblings.slice(0, mostFiles).flatMap(fileOf),
  }
}

function fileOf(sibling: unknown): HubFile[] {
  if (!isObject(sibling)) return []
  const path = sibling['rfilename']
  const large = isObject(sibling['lfs']) ? sibling['lfs'] : undefined
  const size = sibling['size'] ?? large?.['size']
  const sound = typeof path === 'string' && /^[^/\\]{1,200}$/.test(path) && Number.isSafeInteger(size)
  if (!sound || Number(size) < 0) return []
  // Git's blob of a large file is a pointer.
  const [name, digest, form] = large
    ? (['sha256', large['sha256'], /^[0-9a-f]{64}$/] as const)
    : (['blobId', sibling['blobId'], /^[0-9a-f]{40}$/] as const)
  const listed = typeof digest === 'string' && form.test(digest)
  return [{ path, size: Number(size), ...(listed ? { [name]: digest } : {}) }]
}

/** The card's licence; where that is `other` its name; else the licence in the tags. */
function licenceOf(answer: Record<string, unknown>): string | undefined {
  const card = isObject(answer['cardData']) ? answer['cardData'] : {}
  const { license, license_name: named } = card
  const names = (Array.isArray(license) ? license : [license]).filter((name) => typeof name === 'string')
  const written = names.map((name) => (name === 'other' && typeof named === 'string' ? named : name)).join(', ')
  if (written !== '') return written.slice(0, 120)
  const tags = Array.isArray(answer['tags']) ? answer['tags'] : []
  const tag = tags.find((tag): tag is string => typeof tag === 'string' && tag.startsWith('license:'))
  return tag?.slice('license:'.length).slice(0, 120)
}
