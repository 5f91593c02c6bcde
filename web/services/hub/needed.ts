// Which of a repository's files make up the model.
import { failure } from '../../engine/protocol/failure'
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
import { t } from './messages.en'
import type { HubFile } from './listing'

/** Weights in several files, by the name of their index and of each of them. */
const sharded: readonly [string, RegExp][] = [
  ['model.safetensors.index.json', /^model-\d+-of-\d+\.safetensors$/],
  ['pytorch_model.bin.index.json', /^pytorch_model-\d+-of-\d+\.bin$/],
]
const pickleName = 'pytorch_model.bin'

/** Small files that are fetched where they are there. */
const optionalFiles: readonly string[] = [tokenizerConfigName, specialTokensName, generationName, headsName]

/**
 * The files to fetch, the weights last: one file of safetensors, else its shards with their index, else PyTorch's own file or shards.
 * @throws {Failure} where they do not make up a model that can be opened here: what a folder with the same files would be told.
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
  // Without weights all names are looked at, so that it can be said what there is in their place.
  chooseFiles(weights.length > 0 ? needed : files)
  if (weights.length === 0) throw failure('missing-weights', () => t().failures.noWeights)
  return needed
}

/** The files that hold the weights, in the form that is best to read; none where no form is there whole. */
export function weightsOf(files: readonly HubFile[]): readonly HubFile[] {
  const named = (name: string) => files.filter(({ path }) => path === name)
  const [safetensors = [], pickles = []] = sharded.map(([index, shard]) => {
    const shards = files.filter(({ path }) => shard.test(path))
    return shards.length > 0 && named(index).length > 0 ? [...named(index), ...shards] : []
  })
  return [named(weightsName), safetensors, named(pickleName), pickles].find(({ length }) => length > 0) ?? []
}

/** Bytes of all of them. */
export const bytesOf = (files: readonly HubFile[]): number => files.reduce((sum, { size }) => sum + size, 0)
