import type { ModelSource } from '../engine/protocol/protocol'

/** The models that the page brings along, folders of `models/`; the first is loaded on a first visit. The build copies them. */
export const bundledModels: readonly [BundledModel, ...BundledModel[]] = [
  {
    folder: 'roformer-english',
    extraFiles: ['heads.json'],
    laterFiles: ['held-out.json', 'held-out-long.json'],
  },
  {
    folder: 'roformer-english-causal',
    extraFiles: ['heads.json'],
  },
  {
    folder: 'roformer-linear-english',
  },
  {
    folder: 'marian-numbers',
    extraFiles: ['generation_config.json'],
  },
]

export interface BundledModel {
  folder: string
  /** What is read with config, weights and tokenizer. */
  extraFiles?: readonly string[]
  /** What lies beside the model and is read when a view asks for it. */
  laterFiles?: readonly string[]
}

/** What every model has. */
const modelFiles: readonly string[] = ['config.json', 'model.safetensors', 'tokenizer.json']

/** All of them, those of a later moment included: what is kept for use without a network. */
export const filesOf = ({ extraFiles = [], laterFiles = [] }: BundledModel): readonly string[] => [
  ...modelFiles,
  ...extraFiles,
  ...laterFiles,
]

/** The files of each that are published. */
export const bundledFiles = (model: BundledModel): readonly string[] => [...filesOf(model), 'README.md']

/** The bundled model that a link loads, by its fragment: the first where it names none; undefined where it names another one. */
export function linkedFolder(hash: string): string | undefined {
  const named = new URLSearchParams(hash.replace(/^#(\/[^?]*\??)?/, '')).get('model') ?? bundledModels[0].folder
  return bundledModels.find(({ folder }) => folder === named)?.folder
}

/** Where the page finds a bundled model: beside itself. */
export function bundledSource(folder: string): ModelSource {
  const model = bundledModels.find((model) => model.folder === folder)
  const files = model ? filesOf(model) : modelFiles
  return { kind: 'url', base: new URL(`models/${folder}/`, document.baseURI).href, name: folder, files }
}
