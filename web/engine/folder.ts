// A model's files by their names: which of those that a visitor opened make it up, and what to do where one is missing.

import { failure } from './failure'
import type { Failure } from './protocol'

export const configName = 'config.json'
export const weightsName = 'model.safetensors'
export const tokenizerName = 'tokenizer.json'
export const vocabularyName = 'vocab.txt'
export const tokenizerConfigName = 'tokenizer_config.json'
export const specialTokensName = 'special_tokens_map.json'
export const generationName = 'generation_config.json'
export const headsName = 'heads.json'

interface Named {
  path: string
}

/**
 * Which of the files that a visitor opened make up the model: those of the folder nearest to the top that holds config.json, by their names.
 * @throws {Failure} that says what is missing and what to do.
 */
export function chooseFiles<F extends Named>(files: readonly F[]): ReadonlyMap<string, F> {
  if (files.length === 0) {
    throw failure(
      'no-files',
      'No files were opened. Choose a folder that holds config.json, model.safetensors and tokenizer.json or vocab.txt.',
    )
  }
  const depth = (file: F) => file.path.split('/').length
  const named = (name: string) => files.filter((file) => baseName(file) === name).sort((a, b) => depth(a) - depth(b))
  const folder = folderOf(named(configName)[0] ?? named(weightsName)[0])
  const here = files.filter((file) => folder === undefined || folderOf(file) === folder)
  const chosen = new Map(here.map((file) => [baseName(file), file]))
  if (!chosen.has(weightsName)) throw missingWeights(here)
  if (!chosen.has(configName)) {
    throw failure(
      'missing-config',
      'config.json is missing: it tells the sizes of the model. Open the whole folder, or choose it together with model.safetensors.',
    )
  }
  if (!chosen.has(tokenizerName) && !chosen.has(vocabularyName)) {
    throw failure(
      'missing-tokenizer',
      'Neither tokenizer.json nor vocab.txt is there, so text cannot be turned into tokens. Open the folder with one of them in it.',
    )
  }
  return chosen
}

/** What to do about weights in a form this page does not read. */
function missingWeights(files: readonly Named[]): Failure {
  const names = files.map(baseName)
  const again = 'Run this once in its folder and open the folder again:'
  const merge =
    "python3 -c \"import glob, safetensors.torch as s; s.save_file({k: v for f in glob.glob('model-*-of-*.safetensors') for k, v in s.load_file(f).items()}, 'model.safetensors', metadata={'format': 'pt'})\""
  if (names.some((name) => /^model-\d+-of-\d+\.safetensors$|\.safetensors\.index\.json$/.test(name))) {
    return failure(
      'sharded-weights',
      `The weights are in several files; this page reads one model.safetensors. ${again} ${merge}`,
    )
  }
  const pickled = names.find((name) => /\.(bin|pt|pth|ckpt)$/.test(name))
  if (pickled) {
    const convert = `python3 -c "import torch, safetensors.torch as s; s.save_file({k: v.clone().contiguous() for k, v in torch.load('${pickled}', map_location='cpu', weights_only=True).items()}, 'model.safetensors', metadata={'format': 'pt'})"`
    return failure(
      'pickled-weights',
      `${pickled} is a PyTorch pickle, which can run code, so this page does not open it. ${again} ${convert}`,
    )
  }
  const other = names.find((name) => /\.(h5|msgpack|onnx|gguf)$/.test(name) || /\.ckpt(\.|$)/.test(name))
  if (other)
    return failure(
      'other-weights',
      `${other} is in a format this page does not read. Save the model with transformers: save_pretrained() writes model.safetensors.`,
    )
  const tensors = names.find((name) => name.endsWith('.safetensors'))
  if (tensors) {
    return failure(
      'missing-weights',
      `The weights are in ${tensors}; rename it to model.safetensors and open the folder again.`,
    )
  }
  return failure(
    'missing-weights',
    'model.safetensors is missing: the folder holds no weights. Open the folder that has it beside config.json.',
  )
}

function baseName(file: Named): string {
  return file.path.slice(file.path.lastIndexOf('/') + 1)
}

function folderOf(file: Named | undefined): string | undefined {
  return file?.path.slice(0, Math.max(0, file.path.lastIndexOf('/')))
}
