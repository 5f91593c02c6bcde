import { describe, expect, it } from 'vitest'
import { deferred, request, setUp, settle, source, started } from '../../testing/fakeHost'
import { nextPlace, paintCell } from './painting'
import type { GridLayout } from '../protocol/protocol'

const layout: GridLayout = {
  cell: 2,
  gap: 1,
  stops: new Uint8Array(),
  ground: Uint8Array.of(1, 2, 3),
  order: Uint32Array.of(1, 0),
}

/** A canvas that notes where maps are put. */
function canvas() {
  const put: string[] = []
  const context = {
    fillStyle: '',
    fillRect: (...box: number[]) => put.push(`ground ${box.join()} ${context.fillStyle}`),
    createImageData: (width: number, height: number) => ({ data: new Uint8ClampedArray(4 * width * height) }),
    putImageData: (_: unknown, x: number, y: number) => put.push(`${x},${y}`),
  }
  let count = 0
  const getContext = () => {
    // As Firefox does for a canvas that is on the screen.
    if (++count > 1) throw new DOMException('Cannot update created context to different thread', 'InvalidStateError')
    return context
  }
  return { put, canvas: { width: 0, height: 0, getContext } as unknown as OffscreenCanvas }
}

describe('the grid on the CPU', () => {
  const onCpu = async () => {
    const world = setUp()
    const { put, canvas: offscreen } = canvas()
    world.host.receive({ type: 'start', backend: 'cpu' })
    world.host.receive({ type: 'canvas', canvas: offscreen })
    world.host.receive({ type: 'layout', layout })
    world.host.receive({ type: 'load', id: 1, source: source() })
    await settle()
    const looked = () =>
      world.calls.filter(({ name }) => name.startsWith('look')).map(({ name }) => name.split(' ').slice(5, 7).join())
    return { ...world, put, looked }
  }

  it('is painted map by map behind the result, each head at its place, those in sight first', async () => {
    const world = await onCpu()
    world.host.receive({ type: 'gridView', view: { layers: [1, 2], places: [0, 2] } })
    expect(world.put).toEqual([])
    world.run(2)
    await settle()
    expect(world.looked()).toEqual([])
    world.runs[0]?.end.resolve()
    await settle()
    expect(world.looked()).toEqual(['1,0', '1,1', '0,1', '0,0'])
    expect(world.put).toEqual(['ground 0,0,5,5 rgb(1,2,3)', '0,3', '3,3', '0,0', '3,0'])
    // The next result is painted over it.
    world.run(3)
    await settle()
    world.runs[1]?.end.resolve()
    await settle()
    expect(world.put.slice(5)).toEqual(['0,3', '3,3', '0,0', '3,0'])
  })

  it('gives way to a newer text in the middle of a map', async () => {
    const world = await onCpu()
    const first = deferred<void>()
    world.looks.push(async (pause) => {
      await first.promise
      if (!(await pause())) throw { code: 'cancelled', message: '', retryable: true }
    })
    world.run(2)
    await settle()
    world.runs[0]?.end.resolve()
    await settle()
    world.run(3)
    first.resolve()
    await settle()
    expect(world.put).toHaveLength(1)
    world.runs[1]?.end.resolve()
    await settle()
    expect(world.put).toHaveLength(5)
    expect(world.log().filter((type) => type === 'crashed' || type === 'failed')).toEqual([])
  })

  it('is not painted here where a GPU paints', async () => {
    const world = await started()
    world.host.receive({ type: 'layout', layout })
    world.host.receive({ type: 'canvas', canvas: canvas().canvas })
    world.ask(2, 'run', { model: 1, request: request(5) })
    await settle()
    world.runs[0]?.end.resolve()
    await settle()
    expect(world.calls.map(({ name }) => name).filter((name) => /attach|small/.test(name))).toEqual(['attach'])
  })
})

describe('a map', () => {
  it('that is next is the first in sight, else the first of all', () => {
    const gridView = { layers: [1, 3], places: [1, 9] } as const
    expect(nextPlace(new Set(), gridView, 3, 2)).toEqual({ layer: 1, place: 1 })
    expect(nextPlace(new Set([3]), gridView, 3, 2)).toEqual({ layer: 2, place: 1 })
    expect(nextPlace(new Set([3, 5]), gridView, 3, 2)).toEqual({ layer: 0, place: 0 })
    expect(nextPlace(new Set(), undefined, 1, 1)).toEqual({ layer: 0, place: 0 })
    expect(nextPlace(new Set([0]), undefined, 1, 1)).toBeUndefined()
  })

  it('fills its cell by the root of the weight: repeated where it is smaller, the largest where it is not', () => {
    const palette = Uint8Array.from({ length: 768 }, (_, at) => Math.floor(at / 3))
    const reds = (map: number[], cell: number) => {
      const pixels = new Uint8ClampedArray(4 * cell * cell)
      paintCell(pixels, Float32Array.from(map), cell, palette)
      return Array.from({ length: cell * cell }, (_, at) => pixels[4 * at])
    }
    expect(reds([0, 1, 0.25, 0], 2)).toEqual([0, 255, 128, 0])
    expect(reds([0, 1, 1, 0], 4).slice(0, 4)).toEqual([0, 0, 255, 255])
    // Three numbers on two pixels: the middle one belongs to both.
    expect(reds([0, 1, 0, 0, 0, 0, 0, 0, 0.25], 2)).toEqual([255, 255, 0, 128])
  })
})
