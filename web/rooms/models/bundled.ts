import type { ModelSource } from '../../engine/protocol'

/** The models that the page brings along, folders of `models/`; the first is loaded on a first visit. The build copies them. */
export const bundledModels: readonly [BundledModel, ...BundledModel[]] = [
  {
    folder: 'roformer-english',
    description: 'A small English masked language model: it guesses what [MASK] hides.',
  },
  {
    folder: 'roformer-english-causal',
    description: 'A small English causal language model: each token sees those before it, and the next one is guessed.',
  },
]

interface BundledModel {
  folder: string
  description: string
}

/** The files of each that are read. */
export const modelFiles: readonly string[] = ['config.json', 'model.safetensors', 'tokenizer.json', 'heads.json']

/** The files of each that are published. */
export const bundledFiles: readonly string[] = [...modelFiles, 'README.md']

/** Where the page finds a bundled model: beside itself. */
export function bundledSource(folder: string): ModelSource {
  return { kind: 'url', base: new URL(`models/${folder}/`, document.baseURI).href, name: folder, files: modelFiles }
}
