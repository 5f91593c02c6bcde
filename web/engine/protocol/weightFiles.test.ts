import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { initSync } from '../../wasm/ropescope_weights.js'
import { gatherWeights } from './weightFiles'

const golden = 'tests/golden'

beforeAll(() => {
  initSync({ module: readFileSync('web/wasm/ropescope_weights_bg.wasm') })
})

/** The files of a folder that the generator of checkpoints wrote. */
function files(form: string): Map<string, Blob> {
  const folder = `${golden}/checkpoints/${form}`
  return new Map(readdirSync(folder).map((name) => [name, new Blob([readFileSync(`${folder}/${name}`)])]))
}

interface Tensor {
  dtype: string
  shape: number[]
  data_offsets: [number, number]
}

/** Each tensor of a safetensors file: its type, its shape, its bytes. */
function tensors(file: Uint8Array): Map<string, unknown> {
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true))
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length))) as Record<string, Tensor>
  const bytes = ([start, end]: [number, number]) => file.slice(8 + length + start, 8 + length + end).toString()
  const named = Object.entries(header).filter(([name]) => name !== '__metadata__')
  return new Map(named.map(([name, { dtype, shape, data_offsets }]) => [name, [dtype, shape, bytes(data_offsets)]]))
}

async function opened(form: string): Promise<Map<string, unknown>> {
  return tensors(new Uint8Array(await (await gatherWeights(files(form))).arrayBuffer()))
}

describe('weights in other forms', () => {
  it.each([
    ['archive', 'masked_lm_head_size_2'],
    ['stream', 'masked_lm_head_size_2'],
    ['shards', 'masked_lm_head_size_2'],
    ['archive_shards', 'masked_lm_head_size_2'],
    ['training', 'decoders/llama_bfloat16'],
    ['training_stream', 'decoders/llama_float16'],
  ])('%s holds the tensors of %s', async (form, model) => {
    const found = await opened(form)
    for (const [name, tensor] of tensors(Uint8Array.from(readFileSync(`${golden}/${model}/model.safetensors`)))) {
      expect(found.get(name), name).toEqual(tensor)
    }
  })

  it('are refused by name', async () => {
    const shards = files('shards')
    shards.delete('model-00002-of-00003.safetensors')
    await expect(gatherWeights(shards)).rejects.toMatchObject({
      code: 'missing-shard',
      message: expect.stringContaining('model-00002-of-00003.safetensors') as string,
      retryable: false,
      parameters: {
        index: 'model.safetensors.index.json',
        name: '"model-00002-of-00003.safetensors"',
        others: 0,
      },
    })
    const two = new Map([...files('training'), ...files('training_stream')])
    await expect(gatherWeights(two)).rejects.toMatchObject({ code: 'several-weights' })
    const extra = new Map([['training_args.bin', new Blob(['x'])]])
    await expect(gatherWeights(extra)).rejects.toMatchObject({ code: 'missing-weights' })
    await expect(gatherWeights(new Map([['a.bin', new Blob([])]]))).rejects.toMatchObject({ code: 'truncated' })
  })

  it('that cannot be read say so', async () => {
    const [[name, blob]] = [...files('stream')] as [[string, Blob]]
    const gone = { size: blob.size, slice: () => ({ arrayBuffer: () => Promise.reject(new Error('it was moved')) }) }
    await expect(gatherWeights(new Map([[name, gone as unknown as Blob]]))).rejects.toMatchObject({
      code: 'read-failed',
      parameters: { name, reason: 'it was moved' },
      retryable: true,
    })
  })
})
