// The files of a repository that make up the model.
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
