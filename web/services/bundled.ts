import type { ModelSource } from '../engine/protocol/protocol'

/** The models that are published with the page, folders of `models/`; the first visit loads the first one. */
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
  /** Read with config, weights and tokenizer. */
  extraFiles?: readonly string[]
  /** Read when a view needs it. */
  laterFiles?: readonly string[]
}

/** Of a bundled model, as the build reads them from its folder. */
export interface BundledFacts {
  config: unknown
  /** Of its card. */
  licence: string
  /** Of the weights' file. */
  bytes: number
}

const modelFiles: readonly string[] = ['config.json', 'model.safetensors', 'tokenizer.json']

/** All files of the model, which are stored for offline use. */
export const filesOf = ({ extraFiles = [], laterFiles = [] }: BundledModel): readonly string[] => [
  ...modelFiles,
  ...extraFiles,
  ...laterFiles,
]

export const bundledFiles = (model: BundledModel): readonly string[] => [...filesOf(model), 'README.md']

/** The bundled model of a link's fragment; the first where it names none, undefined where it names another model. */
export function linkedFolder(hash: string): string | undefined {
  const named = new URLSearchParams(hash.replace(/^#(\/[^?]*\??)?/, '')).get('model') ?? bundledModels[0].folder
  return bundledModels.find(({ folder }) => folder === named)?.folder
}

export function bundledSource(folder: string): ModelSource {
  const model = bundledModels.find((model) => model.folder === folder)
  const files = model ? filesOf(model) : modelFiles
  return { kind: 'url', base: new URL(`models/${folder}/`, document.baseURI).href, name: folder, files }
}
