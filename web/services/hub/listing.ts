// The hub's listing of a model, and the files in it that make up the model. Every field is checked, because it is foreign data.
import { failure } from '../../engine/protocol/failure'
import { isObject, type JsonObject } from '../../engine/protocol/json'
import { t } from './messages.en'
import type { HubAddress } from './address'
import {
  chooseFiles,
  configName,
  generationName,
  headsName,
  specialTokensName,
  tokenizerConfigName,
  tokenizerName,
  vocabularyName,
  weightsName,
} from '../../engine/protocol/folder'

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
function licenceOf(answer: JsonObject): string | undefined {
  const card = isObject(answer['cardData']) ? answer['cardData'] : {}
  const { license, license_name: named } = card
  const names = (Array.isArray(license) ? license : [license]).filter((name) => typeof name === 'string')
  const written = names.map((name) => (name === 'other' && typeof named === 'string' ? named : name)).join(', ')
  if (written !== '') return written.slice(0, 120)
  const tags = Array.isArray(answer['tags']) ? answer['tags'] : []
  const tag = tags.find((tag): tag is string => typeof tag === 'string' && tag.startsWith('license:'))
  return tag?.slice('license:'.length).slice(0, 120)
}

/** Shards of weights: the name of their index, and of each shard. */
const sharded: readonly [string, RegExp][] = [
  ['model.safetensors.index.json', /^model-\d+-of-\d+\.safetensors$/],
  ['pytorch_model.bin.index.json', /^pytorch_model-\d+-of-\d+\.bin$/],
]
const pickleName = 'pytorch_model.bin'

const optionalFiles: readonly string[] = [tokenizerConfigName, specialTokensName, generationName, headsName]

/**
 * The files to fetch, the weights last: a safetensors file, else its shards with their index, else PyTorch's file or shards.
 * @throws {Failure} where they are not a complete model: the same as of a folder with these files
 */
export function neededFiles(files: readonly HubFile[]): readonly HubFile[] {
  const named = (...names: string[]) => files.filter(({ path }) => names.includes(path))
  const tokenizer = named(tokenizerName)
  const weights = weightsOf(files)
  const needed = [
    ...named(configName),
    ...(tokenizer.length > 0 ? tokenizer : named(vocabularyName)),
    ...named(...optionalFiles),
    ...weights,
  ]
  // Without weights all files are checked: one of them may hold weights in another format, which the failure names.
  chooseFiles(weights.length > 0 ? needed : files)
  if (weights.length === 0) throw failure('missing-weights', () => t().failures.noWeights)
  return needed
}

/** The files of the weights in the best format; empty where no format is complete. */
export function weightsOf(files: readonly HubFile[]): readonly HubFile[] {
  const named = (name: string) => files.filter(({ path }) => path === name)
  const [safetensors = [], pickles = []] = sharded.map(([index, shard]) => {
    const shards = files.filter(({ path }) => shard.test(path))
    return shards.length > 0 && named(index).length > 0 ? [...named(index), ...shards] : []
  })
  return [named(weightsName), safetensors, named(pickleName), pickles].find(({ length }) => length > 0) ?? []
}

export const bytesOf = (files: readonly HubFile[]): number => files.reduce((sum, { size }) => sum + size, 0)
