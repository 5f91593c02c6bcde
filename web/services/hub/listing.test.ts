import { readFileSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { families, isSupported, readModelKind } from './families'
import { hubHosts } from './address'
import { readListing, bytesOf, neededFiles, weightsOf } from './listing'

const address = { owner: 'a', name: 'b', revision: 'main' }
const commit = 'c'.repeat(40)
const file = (path: string, size = 1) => ({ path, size })

describe('the hub’s answer', () => {
  it('is read: commit, licence, files at the top with their sizes', () => {
    const answer = {
      sha: commit,
      gated: false,
      tags: ['license:mit'],
      cardData: { license: 'apache-2.0' },
      siblings: [
        { rfilename: 'config.json', size: 12 },
        { rfilename: 'model.safetensors', lfs: { size: 99 } },
        { rfilename: 'onnx/model.onnx', size: 5 },
        { rfilename: 'strange', size: -1 },
        { rfilename: 7, size: 1 },
      ],
    }
    expect(readListing(answer, address)).toEqual({
      ...address,
      commit,
      licence: 'apache-2.0',
      gated: false,
      files: [file('config.json', 12), file('model.safetensors', 99)],
    })
  })

  it('names a large file’s SHA-256, and the git name of any other', () => {
    const [sha256, blobId] = ['d'.repeat(64), 'e'.repeat(40)]
    const siblings = [
      { rfilename: 'config.json', size: 12, blobId },
      { rfilename: 'model.safetensors', size: 99, blobId, lfs: { sha256, size: 99 } },
      { rfilename: 'a.bin', size: 99, blobId, lfs: { sha256: 'd', size: 99 } },
      { rfilename: 'b.json', size: 9, blobId: 7 },
    ]
    expect(readListing({ sha: commit, siblings }, address).files).toEqual([
      { ...file('config.json', 12), blobId },
      { ...file('model.safetensors', 99), sha256 },
      file('a.bin', 99),
      file('b.json', 9),
    ])
  })

  it('names the licence as the card or the tags do', () => {
    const licence = (more: object) => readListing({ sha: commit, siblings: [], ...more }, address).licence
    expect(licence({ cardData: { license: ['mit', 'other'] } })).toBe('mit, other')
    expect(licence({ cardData: { license: 'other', license_name: 'gemma-terms' } })).toBe('gemma-terms')
    expect(licence({ tags: ['x', 'license:mit'] })).toBe('mit')
    expect(licence({})).toBeUndefined()
  })

  it('says whether the files are given to everyone', () => {
    const gated = (value: unknown) => readListing({ sha: commit, siblings: [], gated: value }, address).gated
    expect([false, undefined, 'auto', 'manual'].map(gated)).toEqual([false, false, true, true])
  })

  it('may be anything: it is refused in words or read', () => {
    fc.assert(
      fc.property(fc.anything(), (answer) => {
        expect(() => readListing(answer, address)).toThrow(expect.objectContaining({ code: 'hub-answer' }))
      }),
    )
    fc.assert(
      fc.property(fc.array(fc.anything()), fc.anything(), (siblings, cardData) => {
        readListing({ sha: commit, siblings, cardData, tags: siblings }, address)
      }),
    )
  })
})

describe('the files that are fetched', () => {
  const small = ['config.json', 'tokenizer.json', 'vocab.txt', 'README.md', 'tokenizer_config.json'].map((name) =>
    file(name),
  )
  const names = (files: { path: string }[]) => neededFiles(files as never).map(({ path }) => path)

  it('are config, one tokenizer, what names its tokens, and one file of weights, which is the last', () => {
    const weights = ['model.safetensors', 'pytorch_model.bin', 'tf_model.h5'].map((name) => file(name))
    expect(names([...weights, ...small])).toEqual([
      'config.json',
      'tokenizer.json',
      'tokenizer_config.json',
      'model.safetensors',
    ])
    expect(names([file('vocab.txt'), file('config.json'), ...weights])).toEqual([
      'config.json',
      'vocab.txt',
      'model.safetensors',
    ])
  })

  it('hold the weights in the best form that is there: one file, shards with their index, PyTorch’s own', () => {
    const of = (...names: string[]) => weightsOf(names.map((name) => file(name))).map(({ path }) => path)
    const shards = [
      'model.safetensors.index.json',
      'model-00001-of-00002.safetensors',
      'model-00002-of-00002.safetensors',
    ]
    const pickles = ['pytorch_model.bin.index.json', 'pytorch_model-00001-of-00001.bin']
    expect(of(...pickles, ...shards, 'pytorch_model.bin', 'model.safetensors')).toEqual(['model.safetensors'])
    expect(of(...pickles, 'pytorch_model.bin', ...shards)).toEqual(shards)
    expect(of(...pickles, 'pytorch_model.bin', ...shards.slice(1))).toEqual(['pytorch_model.bin'])
    expect(of(...pickles, 'config.json')).toEqual(pickles)
    expect(of('other.safetensors', 'training_args.bin')).toEqual([])
  })

  it('are refused as a folder with the same files would be', () => {
    const code = (files: string[]) => {
      try {
        return names(files.map((name) => file(name)))
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    expect(code(['config.json', 'vocab.txt', 'model.gguf'])).toBe('other-weights')
    expect(code(['config.json', 'vocab.txt'])).toBe('missing-weights')
    expect(code(['vocab.txt', 'model.safetensors'])).toBe('missing-config')
    expect(code(['config.json', 'model.safetensors'])).toBe('missing-tokenizer')
  })

  it('are counted', () => {
    expect(bytesOf([file('a', 3), file('b', 4)])).toBe(7)
  })
})

describe('what the engine reads', () => {
  it('is known as the engine knows it', () => {
    const folder = 'src/model/families'
    const found = readdirSync(folder).flatMap((name) => {
      const source = readFileSync(`${folder}/${name}`, 'utf8')
      const family = /model_type: "(\w+)",\s*architectures: &\[([^\]]*)\]/.exec(source)
      return family ? [[family[1], [...(family[2] ?? '').matchAll(/"(\w+)"/g)].map(([, name]) => name)] as const] : []
    })
    expect(found.length).toBeGreaterThan(5)
    expect(families).toEqual(Object.fromEntries(found))
  })

  it('is told from config.json', () => {
    const read = (config: object) => {
      const named = readModelKind(JSON.stringify(config))
      return named && isSupported(named)
    }
    expect(read({ model_type: 'llama', architectures: ['LlamaForCausalLM'] })).toBe(true)
    expect(read({ model_type: 'llama' })).toBe(true)
    expect(read({ architectures: ['RoFormerForMaskedLM'] })).toBe(true)
    expect(read({ model_type: 'llama', architectures: ['LlamaForSequenceClassification'] })).toBe(false)
    expect(read({ model_type: 'bert', architectures: ['BertForMaskedLM'] })).toBe(false)
    expect(read({ model_type: 'toString' })).toBe(false)
    for (const text of ['', '[]', 'null', '7', '{']) expect(readModelKind(text)).toBeUndefined()
  })
})

it('the page’s policy lets it reach the hub’s hosts and no others', () => {
  const policy = /Content-Security-Policy"\s+content="([^"]*)"/.exec(readFileSync('index.html', 'utf8'))?.[1] ?? ''
  const connect = policy.split(';').find((part) => part.trim().startsWith('connect-src'))
  expect(connect?.trim().split(/\s+/).slice(1)).toEqual(["'self'", ...hubHosts])
  expect(policy.match(/https?:/g)?.length).toBe(hubHosts.length)
})
