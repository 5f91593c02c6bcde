// Which of a repository's files make up the model.
import { chooseFiles, configName, generationName, headsName, specialTokensName } from '../engine/folder'
import { tokenizerConfigName, tokenizerName, vocabularyName, weightsName } from '../engine/folder'
import type { HubFile } from './listing'

const indexName = 'model.safetensors.index.json'
const shardName = /^model-\d+-of-\d+\.safetensors$/
const pickleName = 'pytorch_model.bin'

/** Small files that are fetched where they are there. */
const besides: readonly string[] = [tokenizerConfigName, specialTokensName, generationName, headsName]

/**
 * The files to fetch, the weights last: one file of safetensors, else its shards with their index, else PyTorch's own.
 * @throws {Failure} where they do not make up a model that can be opened here: what a folder with the same files would be told.
 */
export function neededFiles(files: readonly HubFile[]): readonly HubFile[] {
  const named = (...names: string[]) => files.filter(({ path }) => names.includes(path))
  const tokenizer = named(tokenizerName)
  const weights = weightsOf(files)
  const needed = [
    ...named(configName),
    ...(tokenizer.length > 0 ? tokenizer : named(vocabularyName)),
    ...named(...besides),
    ...weights,
  ]
  // Without weights all names are looked at, so that it can be said what there is in their place.
  chooseFiles(weights.length > 0 ? needed : files)
  return needed
}

function weightsOf(files: readonly HubFile[]): readonly HubFile[] {
  const named = (name: string) => files.filter(({ path }) => path === name)
  const whole = named(weightsName)
  if (whole.length > 0) return whole
  const shards = files.filter(({ path }) => shardName.test(path))
  const index = named(indexName)
  if (shards.length > 0 && index.length > 0) return [...index, ...shards]
  return named(pickleName)
}

/** Bytes of all of them. */
export const bytesOf = (files: readonly HubFile[]): number => files.reduce((sum, { size }) => sum + size, 0)
