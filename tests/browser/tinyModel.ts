import { copyFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const golden = resolve(import.meta.dirname, '../golden/tiny_masked_lm')

const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']
const words = (
  'the a cat dog sat on mat ran deep ocean learning is and rose red blue was of in to one two three four five six . , ! ? ' +
  'water light night day house tree river stone wind fire'
).split(' ')

/** Sizes of the tiny model. */
export const layers = 2
export const heads = 4

/** The tiny model's 99 tokens: special ones, words, and letters, alone and as continuations. */
export const vocabulary: readonly string[] = (() => {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(0x61 + index))
  const room = 99 - special.length - words.length
  const pieces = [...letters.filter((letter) => !words.includes(letter)), ...letters.map((letter) => `##${letter}`)]
  const tokens = [...special, ...words, ...pieces.slice(0, room)]
  return [...tokens, ...Array.from({ length: 99 - tokens.length }, (_, index) => `[unused${index}]`)]
})()

/** Writes a seeded model of two layers, four heads and 99 tokens, in the files that visitors have. */
export async function writeTinyModel(folder: string): Promise<void> {
  for (const file of ['config.json', 'model.safetensors']) await copyFile(join(golden, file), join(folder, file))
  await writeTinyTokenizer(folder)
  await writeFile(join(folder, 'README.md'), 'A seeded model for tests.\n')
}

/** Writes a seeded causal model with the same tokens. */
export async function writeTinyCausal(folder: string): Promise<void> {
  for (const file of ['config.json', 'generation_config.json', 'model.safetensors'])
    await copyFile(join(golden, '../tiny_causal_lm', file), join(folder, file))
  await writeTinyTokenizer(folder)
}

/** Writes vocab.txt and tokenizer.json of its 99 tokens. */
export async function writeTinyTokenizer(folder: string): Promise<void> {
  await writeFile(join(folder, 'vocab.txt'), vocabulary.join('\n') + '\n')
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer()))
}

/** Writes its heads.json: the last head looks back, the others have no pattern. */
export async function writeDescribedHeads(folder: string, over: object = {}): Promise<void> {
  const all = Array.from({ length: layers * heads }, (_, index) => ({
    layer: Math.floor(index / heads),
    head: index % heads,
    previous: index === layers * heads - 1 ? 0.75 : 0.125,
    next: 0.25,
    same: 0.125,
    repeated: 0,
    special: 0.0625,
    ...over,
  }))
  const file = { protocol: { book: '<b>A Book</b>' }, heads: all }
  await writeFile(join(folder, 'heads.json'), JSON.stringify(file))
}

/** Writes its held-out.json: these rows, each with the token at one position masked ([CLS] is 0). */
export async function writeHeldOut(
  folder: string,
  rows: readonly (readonly number[])[],
  masked: number,
): Promise<void> {
  const pack = (numbers: readonly number[], bits: number) => {
    const stream = numbers.map((number) => number.toString(2).padStart(bits, '0')).join('')
    const bytes = stream.match(/.{1,8}/g) ?? []
    return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))).toString('base64')
  }
  const [first, last, mask] = ['[CLS]', '[SEP]', '[MASK]'].map((token) => vocabulary.indexOf(token))
  const file = {
    book: '<b>A Book</b>',
    rows: rows.length,
    length: (rows[0]?.length ?? 0) + 2,
    special: { first, last, mask },
    bits: 7,
    ids: pack(rows.flat(), 7),
    masked: pack(
      rows.flatMap((row) => row.map((_, at) => (at + 1 === masked ? 1 : 0))),
      1,
    ),
  }
  await writeFile(join(folder, 'held-out.json'), JSON.stringify(file))
}

/** The file that Hugging Face's BertTokenizerFast would save. */
function tokenizer(): object {
  const id = (token: string) => vocabulary.indexOf(token)
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special.map((content) => ({
      id: id(content),
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
      pair: [],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((token) => [token, { id: token, ids: [id(token)], tokens: [token] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  }
}
