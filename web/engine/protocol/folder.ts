// A model's files by their names.

import { engineFailure } from './failure'
import type { Failure } from './protocol'

export const configName = 'config.json'
export const weightsName = 'model.safetensors'
export const tokenizerName = 'tokenizer.json'
export const vocabularyName = 'vocab.txt'
export const tokenizerConfigName = 'tokenizer_config.json'
export const specialTokensName = 'special_tokens_map.json'
export const generationName = 'generation_config.json'
export const headsName = 'heads.json'

interface NamedFile {
  path: string
}

/**
 * The files of the topmost folder with config.json, by their names.
 * @throws {Failure} where one is missing
 */
export function chooseFiles<F extends NamedFile>(files: readonly F[]): ReadonlyMap<string, F> {
  if (files.length === 0) {
    throw engineFailure('no-files', {})
  }
  const depth = (file: F) => file.path.split('/').length
  const named = (name: string) => files.filter((file) => baseName(file) === name).sort((a, b) => depth(a) - depth(b))
  const folder = folderOf(named(configName)[0] ?? named(weightsName)[0])
  const here = files.filter((file) => folder === undefined || folderOf(file) === folder)
  const byName = new Map(here.map((file) => [baseName(file), file]))
  if (!byName.has(weightsName) && ![...byName.keys()].some(isOtherFormat)) throw missingWeights(here)
  if (!byName.has(configName)) {
    throw engineFailure('missing-config', {})
  }
  if (!byName.has(tokenizerName) && !byName.has(vocabularyName)) {
    throw engineFailure('missing-tokenizer', { marian: byName.has('source.spm') })
  }
  return byName
}

/** Whether `weightFiles.ts` reads it: weights in another format, or their index. */
function isOtherFormat(name: string): boolean {
  return /\.(safetensors|bin)\.index\.json$|\.(bin|pt|pth|ckpt)$/.test(name)
}

function missingWeights(files: readonly NamedFile[]): Failure {
  const names = files.map(baseName)
  const shard = names.find((name) => /-\d+-of-\d+\.safetensors$/.test(name))
  if (shard) return engineFailure('sharded-weights', { name: shard })
  const other = names.find((name) => /\.(h5|msgpack|onnx|gguf)$/.test(name) || /\.ckpt\./.test(name))
  if (other) return engineFailure('other-weights', { file: other, what: { kind: 'unknown' } })
  const tensors = names.find((name) => name.endsWith('.safetensors'))
  return engineFailure('missing-weights', tensors ? { name: tensors } : {})
}

function baseName(file: NamedFile): string {
  return file.path.slice(file.path.lastIndexOf('/') + 1)
}

function folderOf(file: NamedFile | undefined): string | undefined {
  return file?.path.slice(0, Math.max(0, file.path.lastIndexOf('/')))
}
