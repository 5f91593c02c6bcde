import { expect, test } from './explorer'

// The tiny model: two layers, not factorised.
const layers = 2

test.describe('@webgpu the budget of a run', () => {
  test('dispatches stay within seven a layer and six, and three for the chosen head', async ({ explorer }) => {
    await explorer.open({ text: 'the [MASK] sat .' })
    const before = await explorer.gpuCalls()
    const { report } = await explorer.resultAfter(() => explorer.type('the [MASK] sat on .'))
    const calls = await explorer.gpuCalls()
    expect(report.dispatches).toBeLessThanOrEqual(7 * layers + 6 + 3)
    const made = calls.dispatches + calls.draws - before.dispatches - before.draws
    expect(made).toBe(report.dispatches + report.paintDispatches)
    expect(calls.maps - before.maps, 'one map').toBe(1)
  })

  test('from the second run on nothing is created', async ({ explorer }) => {
    await explorer.open({ text: 'the [MASK] sat .' })
    await explorer.resultAfter(() => explorer.type('the [MASK] sat on .'))
    const before = await explorer.gpuCalls()
    for (const text of ['the [MASK] sat on the .', 'the [MASK] .', 'a [MASK] and a [MASK] .']) {
      const { report } = await explorer.resultAfter(() => explorer.type(text))
      expect(report.created).toBe(0)
    }
    const calls = await explorer.gpuCalls()
    for (const kind of [
      'createBuffer',
      'createBindGroup',
      'createComputePipeline',
      'createRenderPipeline',
      'createShaderModule',
    ] as const) {
      expect(calls[kind] - before[kind], kind).toBe(0)
    }
  })

  test('no shader, pipeline or command fails validation', async ({ explorer }) => {
    await explorer.open({ text: 'the [MASK] sat .' })
    const calls = await explorer.gpuCalls()
    expect(calls.createComputePipeline).toBeGreaterThan(0)
    expect(calls.errors).toEqual([])
  })
})
