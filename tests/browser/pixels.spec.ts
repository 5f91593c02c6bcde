import { expect, test } from './explorer'

test.describe('@webgpu painting', () => {
  for (const model of ['tiny', 'bundled'] as const) {
    test.describe(`the ${model} model's heads`, () => {
      test.use({ model })

      test('GPU and CPU paint the same pixels', async ({ explorer }) => {
        await explorer.open({ text: 'the [MASK] sat on the mat .' })
        const [gpu, cpu] = [await explorer.gridPixels('gpu'), await explorer.gridPixels('cpu')]
        expect([gpu.width, gpu.height]).toEqual([cpu.width, cpu.height])
        expect(gpu.pixels.length).toBe(gpu.width * gpu.height * 4)
        const steps = gpu.pixels.map((value, index) => Math.abs(value - (cpu.pixels[index] ?? 0)))
        expect(steps.reduce((a, b) => Math.max(a, b))).toBeLessThanOrEqual(1)
        // Maps, not an empty sheet.
        const colours = new Set(
          Array.from({ length: gpu.width * gpu.height }, (_, at) => gpu.pixels.slice(at * 4, at * 4 + 3).join()),
        )
        expect(colours.size).toBeGreaterThan(20)
      })
    })
  }
})
