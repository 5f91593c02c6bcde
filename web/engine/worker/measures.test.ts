import { describe, expect, it } from 'vitest'
import { ran, settle, started } from '../../testing/fakeHost'

describe('requests with a run of their own', () => {
  const textShifted = {
    ids: Uint32Array.of(5, 6),
    positionOffset: 3,
    change: { ablatedHeads: [{ layer: 1, head: 0 }] },
  }

  it('tell fills of every layer, and leave the last run to be asked about', async () => {
    const { ask, log, posted, calls } = await ran()
    ask(3, 'lens', { model: 1, ...textShifted, rows: Uint32Array.of(1), topK: 1 })
    await settle()
    expect(calls.at(-1)?.name).toBe('lens 5,6 1 1 3 layer.1.head[0,*,*]=zero  true')
    expect(posted.at(-1)).toMatchObject({
      result: {
        layers: 2,
        rows: Uint32Array.of(1),
        topIds: Uint32Array.of(7, 8, 9),
        topProbabilities: Float32Array.of(0.5, 0.25, 0.125),
      },
    })
    ask(4, 'head', { run: 2, layer: 0, head: 1 })
    ask(5, 'lens', { model: 9, ...textShifted, rows: Uint32Array.of(1), topK: 1 })
    await settle()
    expect(log().slice(-2)).toEqual(['head 4', 'lens 5 gone'])
  })

  it('read the numbers at sites, or the norms of their rows', async () => {
    const { ask, log, posted, calls } = await ran()
    const sites = ['embeddings', 'ffn.*[1,*]']
    ask(3, 'siteNumbers', { model: 1, ...textShifted, sites, of: 'norms' })
    await settle()
    expect(calls.at(-1)?.name).toBe('siteNorms 5,6 3 embeddings,ffn.*[1,*] layer.1.head[0,*,*]=zero  true')
    expect(posted.at(-1)).toMatchObject({ result: [Float32Array.of(0), Float32Array.of(1)] })
    ask(4, 'siteNumbers', { model: 1, ...textShifted, sites, of: 'numbers' })
    await settle()
    expect(calls.at(-1)?.name).toBe('siteNumbers 5,6 3 embeddings,ffn.*[1,*] layer.1.head[0,*,*]=zero  true')
    expect(posted.at(-1)).toMatchObject({ result: [Float32Array.of(0, 0.5), Float32Array.of(1, 1.5)] })
    ask(5, 'siteNumbers', { model: 9, ...textShifted, sites, of: 'numbers' })
    await settle()
    expect(log().at(-1)).toBe('siteNumbers 5 gone')
  })

  it('tell how far two runs are apart, and where the weight is', async () => {
    const { ask, log, posted, calls } = await ran()
    const result = { weight: 0.5, layer: 1, head: 0, query: 7, key: 8, logit: 2.5 }
    ask(3, 'differences', { model: 1, ...textShifted, of: 'change' })
    await settle()
    expect(calls.at(-1)?.name).toBe('differences 5,6 false 3 layer.1.head[0,*,*]=zero  true')
    expect(posted.at(-1)).toMatchObject({ result })
    ask(4, 'differences', { model: 1, ...textShifted, of: 'shift', beyondLength: true })
    await settle()
    expect(calls.at(-1)?.name).toBe('differences 5,6 true 3 layer.1.head[0,*,*]=zero  true')
    ask(5, 'head', { run: 2, layer: 0, head: 1 })
    ask(6, 'differences', { model: 9, ...textShifted, of: 'change' })
    await settle()
    expect(log().slice(-2)).toEqual(['head 5', 'differences 6 gone'])
  })

  it('take a text that is longer than the model is made for, where it is let through', async () => {
    const { ask, calls } = await ran()
    const text = { model: 1, ids: Uint32Array.of(5, 6), positionOffset: 0, beyondLength: true }
    const beyond = () => calls.filter(({ name }) => name === 'beyond its length').length
    ask(3, 'lens', { ...text, rows: Uint32Array.of(1), topK: 1 })
    ask(4, 'flow', text)
    ask(5, 'file', text)
    ask(6, 'differences', { ...text, of: 'change' })
    ask(7, 'comparisonHead', { ...text, layer: 0, head: 0 })
    ask(8, 'loss', { ...text, batch: 1, labels: Int32Array.of(-1, 7) })
    await settle()
    expect(beyond()).toBe(6)
  })

  it('tell what flows through a text, each list by itself', async () => {
    const { ask, log, posted, calls } = await ran()
    ask(3, 'flow', { model: 1, ...textShifted })
    await settle()
    expect(calls.at(-1)?.name).toBe('flow 5,6 3 layer.1.head[0,*,*]=zero  true')
    expect(posted.at(-1)).toMatchObject({
      result: {
        layers: 2,
        heads: 2,
        length: 2,
        rollout: Float32Array.of(0, 1, 2, 3),
        residual: Float32Array.of(4, 5, 6, 7, 8, 9),
        change: Float32Array.of(10, 11, 12, 13),
        outputs: Float32Array.of(14, 15, 16, 17),
      },
    })
    ask(4, 'flow', { model: 9, ...textShifted })
    await settle()
    expect(log().at(-1)).toBe('flow 4 gone')
  })

  it('list the neurons of a layer, and follow one of them', async () => {
    const { ask, log, posted, calls } = await ran()
    ask(3, 'neurons', { model: 1, ...textShifted, layer: 1, row: 0, count: 5 })
    await settle()
    expect(calls.at(-1)?.name).toBe('neurons 5,6 decoder 1 0 5 3 layer.1.head[0,*,*]=zero  true')
    expect(posted.at(-1)).toMatchObject({ result: [{ neuron: 7, value: -0.5, inner: -2, gate: null }] })
    ask(4, 'neuron', { model: 1, ...textShifted, layer: 1, neuron: 7, count: 5 })
    await settle()
    expect(calls.at(-1)?.name).toBe('neuron 5,6 decoder 1 7 5 3 layer.1.head[0,*,*]=zero  true')
    expect(posted.at(-1)).toMatchObject({
      result: { values: [0.5, -0.5], reads: [{ id: 3, number: 1.5 }], writes: null },
    })
    ask(5, 'neurons', { model: 9, ...textShifted, layer: 1, row: 0, count: 5 })
    ask(6, 'neuron', { model: 9, ...textShifted, layer: 1, neuron: 7, count: 5 })
    await settle()
    expect(log().slice(-2)).toEqual(['neurons 5 gone', 'neuron 6 gone'])
  })

  it('make a file of all that the text has', async () => {
    const { ask, log, posted, calls } = await ran()
    ask(3, 'file', { model: 1, ...textShifted, beyondLength: true })
    await settle()
    expect(calls.at(-1)?.name).toBe('tensorFile 5,6 3 layer.1.head[0,*,*]=zero  true')
    expect(posted.at(-1)).toMatchObject({ result: Uint8Array.of(7, 8) })
    ask(4, 'file', { model: 9, ...textShifted })
    await settle()
    expect(log().at(-1)).toBe('file 4 gone')
  })
})

it('a trial tells what a rotation is made by, and all that an attention holds', async () => {
  const { ask, posted, calls } = await started()
  for (const [id, what, bytes] of [
    [2, 'fused', 32],
    [3, 'linear', 64],
  ] as const) {
    ask(id, 'trial', { what, length: 3, headSize: 2 })
    await settle()
    await settle()
    expect(posted.at(-1)).toMatchObject({ id, result: { milliseconds: 4, bytes, numbers: Float64Array.of(0.5) } })
    expect(calls.at(-1)?.name).toBe(`trial ${what} 3 2`)
  }
})
