// A model that is held by an engine, with what reads its texts: what the page and the npm package ask.
import type { EngineClient, EngineEvent, RequestOptions } from '../engine/client/client'
import type { Reply } from '../engine/protocol/messages'
import type { ModelInfo, ModelSource, TokenizerFiles } from '../engine/protocol/protocol'
import type { Result, ParamsOfModel, Kind } from '../engine/protocol/requests'
import { readsChineseWords, type CutWords } from '../text/chineseWords'
import { TextTokenizer } from '../text/tokenizer'

export interface EngineModel {
  version: number
  /** Of an encoder–decoder both stacks. */
  fullInfo: ModelInfo
  source: ModelSource
  tokenizer: TextTokenizer
  /** The one door to what the engine tells of this model. @throws {Failure} */
  ask<K extends Kind>(kind: K, asks: ParamsOfModel<K>, how?: RequestOptions<K>): Promise<Reply<Result<K>>>
}

type ModelEvent = Extract<EngineEvent, { type: 'tokenizer' | 'loaded' }>
type Loaded = Extract<EngineEvent, { type: 'loaded' }>

/** Makes the models that a client tells of. */
export class ModelOpener {
  readonly #client: EngineClient
  readonly #words: (name: string) => Promise<CutWords>
  /** Opened while its model's weights are on their way. */
  #opened: { version: number; tokenizer: TextTokenizer } | undefined
  #newest = 0

  /** `words` brings what cuts Chinese texts, for a model that reads by the word; its name is that of the model. */
  constructor(client: EngineClient, words: (name: string) => Promise<CutWords>) {
    this.#client = client
    this.#words = words
  }

  /** Opens a tokenizer ahead of its model. What is wrong with one is said when the model is there. */
  prepare({ version, tokenizer: files }: Omit<Extract<ModelEvent, { type: 'tokenizer' }>, 'type'>): void {
    try {
      this.#opened = { version, tokenizer: TextTokenizer.open(files) }
    } catch {
      this.#opened = undefined
    }
  }

  /** Calls `use` with the model: at once, unless words are to be fetched; never, where a newer one came meanwhile. Else calls `refuse`. */
  open(loaded: Loaded, use: (model: EngineModel) => void, refuse: (reason: unknown) => void): void {
    const { version, tokenizer: files, model: fullInfo, source } = loaded
    this.#newest = version
    const open = (cutWords?: CutWords) => {
      if (this.#newest !== version) return
      try {
        use({ version, fullInfo, source, tokenizer: this.#open(version, files, cutWords), ask: this.#door(version) })
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

  #door(version: number): EngineModel['ask'] {
    return (kind, asks, how) => this.#client.ask(kind, { ...asks, model: version } as never, how)
  }
}
