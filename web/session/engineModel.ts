// A model in an engine, with its tokenizer: page and npm package ask it.
import type { EngineClient, EngineEvent, RequestOptions } from '../engine/client/client'
import type { Reply } from '../engine/protocol/messages'
import type { ModelInfo, ModelSource, TokenizerFiles } from '../engine/protocol/protocol'
import type { Result, ParamsOfModel, RequestKind } from '../engine/protocol/requests'
import { readsChineseWords, type CutWords } from '../text/chineseWords'
import { TextTokenizer } from '../text/tokenizer'

export interface EngineModel {
  version: number
  /** Of an encoder–decoder: of both stacks. */
  fullInfo: ModelInfo
  source: ModelSource
  tokenizer: TextTokenizer
  /** Sends a request about this model. */
  ask<K extends RequestKind>(kind: K, params: ParamsOfModel<K>, options?: RequestOptions<K>): Promise<Reply<Result<K>>>
}

type ModelEvent = Extract<EngineEvent, { type: 'tokenizer' | 'loaded' }>
type LoadedEvent = Extract<EngineEvent, { type: 'loaded' }>

/** Makes the models of the loads that a client reports. */
export class ModelOpener {
  readonly #client: EngineClient
  readonly #words: (name: string) => Promise<CutWords>
  /** Opened while the weights of its model are loading. */
  #opened: { version: number; tokenizer: TextTokenizer } | undefined
  #newest = 0

  /** @param words fetches the segmenter of Chinese texts, for models that read words */
  constructor(client: EngineClient, words: (name: string) => Promise<CutWords>) {
    this.#client = client
    this.#words = words
  }

  /** Opens a tokenizer before its model is there. Its errors are thrown once the model is. */
  prepare({ version, tokenizer: files }: Omit<Extract<ModelEvent, { type: 'tokenizer' }>, 'type'>): void {
    try {
      this.#opened = { version, tokenizer: TextTokenizer.open(files) }
    } catch {
      this.#opened = undefined
    }
  }

  /** Calls `use` with the model, at once unless `words` must be fetched; `refuse` where that fails; neither where a newer model came. */
  open(loaded: LoadedEvent, use: (model: EngineModel) => void, refuse: (reason: unknown) => void): void {
    const { version, tokenizer: files, model: fullInfo, source } = loaded
    this.#newest = version
    const open = (cutWords?: CutWords) => {
      if (this.#newest !== version) return
      try {
        use({ version, fullInfo, source, tokenizer: this.#open(version, files, cutWords), ask: this.#askOf(version) })
      } catch (reason) {
        refuse(reason)
      }
    }
    if (!readsChineseWords(files)) open()
    else this.#words(fullInfo.name).then(open, (reason) => this.#newest === version && refuse(reason))
  }

  #open(version: number, files: TokenizerFiles, cutWords: CutWords | undefined): TextTokenizer {
    const opened = this.#opened
    this.#opened = undefined
    return opened?.version === version ? opened.tokenizer : TextTokenizer.open(files, cutWords)
  }

  #askOf(version: number): EngineModel['ask'] {
    return (kind, params, options) => this.#client.ask(kind, { ...params, model: version } as never, options)
  }
}
