import { expect, test, type Explorer } from './explorer'

// The tiny model has two layers.
const layers = 2

/** Waits until the page has the statistics of the newest run's heads. */
async function readStatistics(explorer: Explorer): Promise<void> {
  const { run } = await explorer.result()
  await explorer.answered('statistics', (statistics) => statistics.run === run)
}

test('@webgpu a run keeps its budget, and from the second on nothing is created', async ({ explorer }) => {
  await explorer.open({ text: 'the [MASK] sat .' })
  await readStatistics(explorer)
  await test.step('dispatches stay within seven a layer and six, and three for the chosen head', async () => {
    const before = await explorer.gpuCalls()
    const { report } = await explorer.resultAfter(() => explorer.type('the [MASK] sat on .'))
    await readStatistics(explorer)
    const calls = await explorer.gpuCalls()
    expect(report.dispatches).toBeLessThanOrEqual(7 * layers + 6 + 3)
    const work = calls.dispatches + calls.draws - before.dispatches - before.draws
    // The statistics are requested once a run: one dispatch and one map a layer.
    expect(work).toBe(report.dispatches + report.paintDispatches + layers)
    expect(calls.writes[before.submits], 'inputs and parameters are written at once').toBe(1)
    expect(calls.maps - before.maps, 'one map for the run, one for the heads of a layer').toBe(1 + layers)
  })

  await test.step('from the second run on nothing is created, and nothing fails validation', async () => {
    const before = await explorer.gpuCalls()
    for (const text of ['the [MASK] sat on the .', 'the [MASK] .', 'a [MASK] and a [MASK] .']) {
      const { report } = await explorer.resultAfter(() => explorer.type(text))
      expect(report.created).toBe(0)
    }
    await readStatistics(explorer)
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
    expect(calls.createComputePipeline).toBeGreaterThan(0)
    expect(calls.errors, 'shaders, pipelines and commands that fail validation').toEqual([])
  })
})
