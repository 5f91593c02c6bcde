import { copyFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const pairs = resolve(import.meta.dirname, '../golden/pairs')

const special = ['<pad>', '</s>', '<unk>', '<x>']

/** Letters for the ids of the model's training. */
export const vocabulary: readonly string[] = [
  ...special,
  ...Array.from({ length: 25 }, (_, index) => String.fromCodePoint(0x61 + index)),
]

/** Writes a trained encoder–decoder: by default a Marian of two layers and two heads in each part. */
export async function writeTinyPair(folder: string, golden = 'marian'): Promise<void> {
  for (const file of ['config.json', 'generation_config.json', 'model.safetensors'])
    await copyFile(join(pairs, golden, file), join(folder, file))
  const tokenizer = {
    version: '1.0',
    added_tokens: special.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '</s>', type_id: 0 } }],
      pair: [],
      special_tokens: { '</s>': { id: '</s>', ids: [1], tokens: ['</s>'] } },
    },
    decoder: null,
    model: {
      type: 'WordLevel',
      unk_token: '<unk>',
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  }
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
}
