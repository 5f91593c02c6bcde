import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, root, test } from './explorer'

/** The output of `ropescope-pipelines`. */
interface Pipeline {
  name: string
  source: string
  constants: Record<string, number>
  bindings: ('read-only-storage' | 'storage')[]
}

/** Builds each pipeline in the page, and returns the browser's errors. */
async function build(pipelines: Pipeline[]): Promise<string[]> {
  const adapter = await navigator.gpu.requestAdapter()
  if (!adapter) return ['no adapter']
  const device = await adapter.requestDevice()
  const complaints: string[] = []
  for (const { name, source, constants, bindings } of pipelines) {
    device.pushErrorScope('validation')
    const module = device.createShaderModule({ code: source })
    const entries: GPUBindGroupLayoutEntry[] = bindings.map((type, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type },
    }))
    const uniform = { type: 'uniform', hasDynamicOffset: true } as const
    entries.push({ binding: bindings.length, visibility: GPUShaderStage.COMPUTE, buffer: uniform })
    const layout = device.createPipelineLayout({ bindGroupLayouts: [device.createBindGroupLayout({ entries })] })
    device.createComputePipeline({ layout, compute: { module, entryPoint: 'main', constants } })
    const error = await device.popErrorScope()
    const notes = (await module.getCompilationInfo()).messages.map(
      ({ message, lineNum }) => `line ${lineNum}: ${message}`,
    )
    if (error) complaints.push(`${name} ${JSON.stringify(constants)}: ${[error.message, ...notes].join('\n')}`)
  }
  device.destroy()
  return complaints
}

test.describe('@webgpu pipelines', () => {
  test('every pipeline the engine can make builds here', async ({ explorer, page }) => {
    // Some hundred pipelines, compiled on one core.
    test.setTimeout(300_000)
    const pipelines = JSON.parse(await readFile(join(root, 'target/pipelines.json'), 'utf8')) as Pipeline[]
    const names = new Set(pipelines.map(({ name }) => name.split('/')[0]))
    for (const name of [
      'embedding',
      'norm',
      'gemm',
      'rotation',
      'attention',
      'copy_rows',
      'penalty',
      'sample',
      'top_k',
      'maps',
    ]) {
      expect(names).toContain(name)
    }
    for (const name of ['head_ablation', 'in_place_rotation', 'token_scale', 'clamped_attention']) {
      expect(names).toContain(name)
    }
    // SwiftShader has no 16-bit floats: kernels that use them build here with f32 in their place. Native tests build them unchanged.
    const usesF16 = ({ source }: Pipeline) => source.startsWith('enable f16;')
    const inF32 = (source: string) => source.replace('enable f16;', '').replaceAll(/\bf16\b/g, 'f32')
    const built = pipelines.map((pipeline) =>
      usesF16(pipeline) ? { ...pipeline, source: inF32(pipeline.source) } : pipeline,
    )
    expect(pipelines.filter(usesF16).length).toBeGreaterThan(20)
    await explorer.visit({ backend: 'cpu' })
    expect(await page.evaluate(() => navigator.gpu.requestAdapter().then((it) => it?.features.has('shader-f16')))).toBe(
      false,
    )
    expect(await page.evaluate(build, built)).toEqual([])
    // What the browser refuses is told apart.
    const broken = { name: 'broken', source: '@compute fn main() {}', constants: {}, bindings: [] }
    expect(await page.evaluate(build, [broken])).toHaveLength(1)
  })
})
