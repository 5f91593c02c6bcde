import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageOf, readAddress, writeAddress } from './address'

const at = (owner: string, name: string, revision = 'main') => ({ owner, name, revision })

describe('a model’s name', () => {
  it('is read with and without a revision', () => {
    expect(readAddress('EleutherAI/pythia-14m')).toEqual(at('EleutherAI', 'pythia-14m'))
    expect(readAddress('  junnyu/roformer_small_generator@refs/pr/1 ')).toEqual(
      at('junnyu', 'roformer_small_generator', 'refs/pr/1'),
    )
    expect(readAddress('Qwen/Qwen2.5-0.5B@v1.0')).toEqual(at('Qwen', 'Qwen2.5-0.5B', 'v1.0'))
  })

  it('is read from the address of its page', () => {
    const of = (path: string) => readAddress(`https://huggingface.co/${path}`)
    expect(of('a/b')).toEqual(at('a', 'b'))
    expect(of('a/b/')).toEqual(at('a', 'b'))
    expect(of('a/b/tree/main')).toEqual(at('a', 'b'))
    expect(of('a/b/tree/refs%2Fpr%2F1')).toEqual(at('a', 'b', 'refs/pr/1'))
    expect(of('a/b/tree/refs/pr/12/folder')).toEqual(at('a', 'b', 'refs/pr/12'))
    expect(of('a/b/blob/step1000/config.json?x=1#L2')).toEqual(at('a', 'b', 'step1000'))
    expect(of('a/b/discussions/3')).toEqual(at('a', 'b'))
    expect(readAddress('huggingface.co/a/b')).toEqual(at('a', 'b'))
    expect(readAddress('http://hf.co/a/b')).toEqual(at('a', 'b'))
  })

  it('is told from what is none', () => {
    for (const text of [
      '',
      'a',
      'a/b/c',
      '/b',
      'a/',
      'a/b@',
      'a/b@../x',
      'a b/c',
      '../etc',
      'a/..',
      'a/b@x y',
      'ä/b',
    ]) {
      expect(readAddress(text), text).toBe('form')
    }
    expect(readAddress('https://example.com/a/b')).toBe('host')
    expect(readAddress('https://huggingface.co.evil.com/a/b')).toBe('host')
    expect(readAddress('https://huggingface.co/datasets/a/b')).toBe('kind')
    expect(readAddress('https://huggingface.co/spaces/a/b')).toBe('kind')
    expect(readAddress('datasets/squad')).toBe('kind')
    expect(readAddress('https://huggingface.co/a/b/tree/%')).toBe('form')
  })

  it('is written as it is read, and whatever is read stays within a path', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\w.-]{1,9}\/[\w.-]{1,9}(@[\w./-]{1,9})?$/)), (text) => {
        const read = readAddress(text)
        if (typeof read === 'string') return
        expect(readAddress(writeAddress(read))).toEqual(read)
        const { origin, pathname } = new URL(pageOf(read))
        expect(origin).toBe('https://huggingface.co')
        expect(pathname.startsWith(`/${read.owner}/${read.name}`)).toBe(true)
      }),
    )
  })
})
