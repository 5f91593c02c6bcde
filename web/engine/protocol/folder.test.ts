import { describe, expect, it } from 'vitest'
import { chooseFiles } from './folder'

const files = (...paths: string[]) => paths.map((path) => ({ path }))
const code = (paths: string[]) => {
  try {
    chooseFiles(files(...paths))
  } catch (error) {
    return (error as { code: string }).code
  }
  return 'none'
}

describe('the files of a folder', () => {
  it('are those beside the topmost config.json', () => {
    const byName = chooseFiles(
      files(
        'm/old/config.json',
        'm/old/model.safetensors',
        'm/model.safetensors',
        'm/config.json',
        'm/old/tokenizer.json',
        'm/vocab.txt',
      ),
    )
    expect(byName.get('config.json')?.path).toBe('m/config.json')
    expect(byName.get('model.safetensors')?.path).toBe('m/model.safetensors')
    expect(byName.has('tokenizer.json')).toBe(false)
    expect(byName.get('vocab.txt')?.path).toBe('m/vocab.txt')
  })

  it.each([
    [[], 'no-files'],
    [['m/readme.txt'], 'missing-weights'],
    [['m/config.json', 'm/vocab.txt'], 'missing-weights'],
    [['m/model.safetensors', 'm/vocab.txt'], 'missing-config'],
    [['m/config.json', 'm/model.safetensors'], 'missing-tokenizer'],
    [['m/config.json', 'm/pytorch_model.bin', 'm/vocab.txt'], 'none'],
    [['m/config.json', 'm/last.pt', 'm/vocab.txt'], 'none'],
    [['m/config.json', 'm/model.safetensors.index.json', 'm/vocab.txt'], 'none'],
    [['m/pytorch_model.bin', 'm/vocab.txt'], 'missing-config'],
    [['m/config.json', 'm/model-00001-of-00002.safetensors'], 'sharded-weights'],
    [['m/config.json', 'm/tf_model.h5'], 'other-weights'],
    [['m/config.json', 'm/weights.safetensors', 'm/vocab.txt'], 'missing-weights'],
  ])('%j: %s', (paths, expected) => {
    expect(code(paths)).toBe(expected)
  })

  it('says what makes a tokenizer of Marian’s files', () => {
    const files = ['config.json', 'model.safetensors', 'source.spm', 'vocab.json'].map((path) => ({ path }))
    expect(() => chooseFiles(files)).toThrow(expect.objectContaining({ parameters: { marian: true } }) as Error)
  })
})
