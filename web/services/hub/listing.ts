// What the hub says of a model before anything large is fetched. Its answer is foreign data: every part of it is looked at.
import { failure } from '../../engine/protocol/failure'
import { t } from './messages.en'
import type { HubAddress } from './address'

/** A file of a model, by its path in the repository. */
export interface HubFile {
  path: string
  /** Bytes. */
  size: number
  /** Of a file in the hub's store for large files: 64 hexadecimal digits. */
  sha256?: string
  /** Of a file in the git repository itself, its name there: 40 hexadecimal digits. */
  blobId?: string
}

/** A model at a commit. */
export interface Listing extends HubAddress {
  /** What the revision is now: 40 hexadecimal digits. Files of a commit never change. */
  commit: string
  /** As the model's card names it; undefined where it names none. */
  licence: string | undefined
  /** Whether its files are given only to those who have agreed to something on the hub. */
  gated: boolean
  /** Those at the top of the repository. */
  files: readonly HubFile[]
}

/** More than any model has at the top of its repository. */
const mostFiles = 2000

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the answer to `api/models/owner/name/revision/…?blobs=true`. @throws {Failure} */
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
  // The blob of a large file is a pointer to it.
  const [name, digest, form] = large
    ? (['sha256', large['sha256'], /^[0-9a-f]{64}$/] as const)
    : (['blobId', sibling['blobId'], /^[0-9a-f]{40}$/] as const)
  const listed = typeof digest === 'string' && form.test(digest)
  return [{ path, size: Number(size), ...(listed ? { [name]: digest } : {}) }]
}

/** The card's licence, by its own name where the hub knows none; else what the tags say. */
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
