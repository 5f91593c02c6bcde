// Small models of the golden files, as a visitor opens them. They have no tokenizer of their own.
import { readFileSync } from 'node:fs'

/** Files of a model of `tests/golden`, with a tokenizer whose words are w1, w2 and so on. */
export function goldenFiles(folder: string): File[] {
  const read = (name: string) => readFileSync(`tests/golden/${folder}/${name}`)
  const { vocab_size: size } = JSON.parse(read('config.json').toString()) as { vocab_size: number }
  const words = Array.from({ length: size }, (_, id): [string, number] => [id === 0 ? '<unk>' : `w${id}`, id])
  const tokenizer = {
    version: '1.0',
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: { type: 'WordLevel', vocab: Object.fromEntries(words), unk_token: '<unk>' },
  }
  return [
    new File([Uint8Array.from(read('config.json'))], 'config.json'),
    new File([Uint8Array.from(read('model.safetensors'))], 'model.safetensors'),
    new File([JSON.stringify(tokenizer)], 'tokenizer.json'),
  ]
}
