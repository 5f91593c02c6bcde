import { expect, test } from './explorer'

test('@cpu the worker paints map by map what the painter of the grid does', async ({ explorer, page }) => {
  await explorer.open({ text: 'the [MASK] sat on the mat .' })
  const { width, height, pixels } = await explorer.gridPixels('cpu')
  const farthest = (pixels: Uint8Array) =>
    page.evaluate((expected) => {
      const grid = document.querySelector<HTMLCanvasElement>('[data-testid=attention-grid] canvas')
      const context = new OffscreenCanvas(grid?.width ?? 1, grid?.height ?? 1).getContext('2d')
      if (!grid || !context) throw new Error('there is no grid')
      context.drawImage(grid, 0, 0)
      const found = context.getImageData(0, 0, grid.width, grid.height)
      const steps = found.data.map((value, at) => Math.abs(value - (expected[at] ?? 0)))
      return { width: found.width, height: found.height, steps: steps.reduce((a, b) => Math.max(a, b)) }
    }, Array.from(pixels))
  // The canvas appears with the worker's first frame.
  await expect.poll(() => farthest(pixels)).toEqual({ width, height, steps: expect.any(Number) })
  await expect.poll(async () => (await farthest(pixels)).steps).toBeLessThanOrEqual(1)
})

test.describe('@webgpu the heads of the bundled model', () => {
  test.use({ model: 'bundled' })

  test('are painted alike by GPU and CPU', async ({ explorer }) => {
    await explorer.open({ text: 'the [MASK] sat on the mat .' })
    const [gpu, cpu] = [await explorer.gridPixels('gpu'), await explorer.gridPixels('cpu')]
    expect([gpu.width, gpu.height]).toEqual([cpu.width, cpu.height])
    expect(gpu.pixels.length).toBe(gpu.width * gpu.height * 4)
    const steps = gpu.pixels.map((value, index) => Math.abs(value - (cpu.pixels[index] ?? 0)))
    expect(steps.reduce((a, b) => Math.max(a, b))).toBeLessThanOrEqual(1)
    // The picture is not empty.
    const colours = new Set(
      Array.from({ length: gpu.width * gpu.height }, (_, at) => gpu.pixels.slice(at * 4, at * 4 + 3).join()),
    )
    expect(colours.size).toBeGreaterThan(20)
  })
})
