import type { Page } from '@playwright/test'

/** Calls to WebGPU, counted in the worker. */
export interface GpuCalls {
  createBuffer: number
  createBindGroup: number
  createBindGroupLayout: number
  createComputePipeline: number
  createRenderPipeline: number
  createShaderModule: number
  dispatches: number
  draws: number
  submits: number
  /** Writes to buffers between two submits, by submit. */
  writes: number[]
  maps: number
  /** Errors of the device, and of error scopes around the creation of shaders and pipelines. */
  errors: string[]
}

declare global {
  interface Window {
    gpuCalls: GpuCalls
  }
}

/** Runs in the worker before its own code. */
function wrapWebGpu(): void {
  const calls: GpuCalls = {
    createBuffer: 0,
    createBindGroup: 0,
    createBindGroupLayout: 0,
    createComputePipeline: 0,
    createRenderPipeline: 0,
    createShaderModule: 0,
    dispatches: 0,
    draws: 0,
    submits: 0,
    writes: [0],
    maps: 0,
    errors: [],
  }
  self.gpuCalls = calls
  if (typeof GPUDevice === 'undefined') return

  /** Calls `before` with each call's arguments; a function that it returns is called when the call ends. */
  function wrap(prototype: object, method: string, before: (self: never) => (() => void) | void): void {
    const original = Reflect.get(prototype, method) as (...parameters: unknown[]) => unknown
    Reflect.set(prototype, method, function (this: never, ...parameters: unknown[]) {
      const after = before(this)
      const result = original.apply(this, parameters)
      after?.()
      return result
    })
  }

  for (const method of ['createBuffer', 'createBindGroup', 'createBindGroupLayout'] as const) {
    wrap(GPUDevice.prototype, method, () => void calls[method]++)
  }
  for (const method of ['createComputePipeline', 'createRenderPipeline', 'createShaderModule'] as const) {
    wrap(GPUDevice.prototype, method, (device: GPUDevice) => {
      calls[method]++
      device.pushErrorScope('validation')
      return () =>
        void device.popErrorScope().then((error) => error && calls.errors.push(`${method}: ${error.message}`))
    })
  }
  for (const method of ['dispatchWorkgroups', 'dispatchWorkgroupsIndirect'] as const) {
    wrap(GPUComputePassEncoder.prototype, method, () => void calls.dispatches++)
  }
  for (const method of ['draw', 'drawIndexed'] as const) {
    wrap(GPURenderPassEncoder.prototype, method, () => void calls.draws++)
  }
  wrap(
    GPUQueue.prototype,
    'writeBuffer',
    () => void (calls.writes[calls.submits] = (calls.writes[calls.submits] ?? 0) + 1),
  )
  wrap(GPUQueue.prototype, 'submit', () => void (calls.writes[++calls.submits] = 0))
  wrap(GPUBuffer.prototype, 'mapAsync', () => void calls.maps++)

  const requestDevice = GPUAdapter.prototype.requestDevice
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    const device = await requestDevice.call(this, descriptor)
    device.addEventListener('uncapturederror', ({ error }) => calls.errors.push(error.message))
    return device
  }
}

/** Init scripts do not reach workers: the wrapper is prepended to the worker's file. */
export async function countGpuCalls(page: Page): Promise<void> {
  await page.route(/worker[^/]*\.js$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `(${wrapWebGpu})();\n${await response.text()}` })
  })
}
