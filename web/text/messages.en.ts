import { messages } from '../i18n/messages.svelte'

/** Why a tokenizer cannot be opened. The later messages complete the brackets of the first two. */
const en = {
  vocabulary: (why: string) =>
    `vocab.txt could not be read as a WordPiece vocabulary (${why}). It must have one token per line.`,
  file: (why: string) =>
    `tokenizer.json could not be read (${why}). Save it again with Hugging Face’s tokenizer.save_pretrained().`,
  noObject: 'it is not a JSON object',
  noModel: 'it has no model',
  empty: 'it is empty',
  noWords: 'it reads Chinese by the word, and there is no word segmenter',
  noJieba: (why: string) =>
    `This model reads Chinese by the word, and the word segmenter (jieba, 4 MB) could not be fetched (${why}). Open the model again when you are online.`,
  part: {
    model: 'model',
    normalizer: 'normalizer',
    'pre-tokenizer': 'pre-tokenizer',
    'post-processor': 'post-processor',
    decoder: 'decoder',
    afterFuse: 'decoder after "Fuse"',
  },
  /** An unsupported part, by its type. */
  unknown: (part: string, type: string) => `its ${part} "${type || 'without a type'}" is not known here`,
  behavior: (name: string) => `its pre-tokenizer’s behavior "${name}" is not known here`,
  bpe: (key: string) => `its BPE model’s ${key} is not known here`,
  noUnknownToken: 'its Unigram model has no unknown token',
  emptyPattern: 'one of its patterns is empty',
  pattern: (pattern: string) => `its pattern ${pattern} cannot be read`,
  templateToken: (key: string) => `its template names no ${key} token`,
  templateUnknown: (token: string) => `its template does not know the token ${token}`,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
