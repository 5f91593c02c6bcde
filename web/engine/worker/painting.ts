// The grid of all heads on the CPU backend: the worker paints map by map, visible ones first, and other work comes in between. A GPU paints
// all maps with the run.

import { partName, type LoadedModel, type Surface, type WasmEngine } from './handler'
import { isFailure } from '../protocol/failure'
import { infoOfPart } from '../protocol/parts'
import type { Failure, GridLayout, GridView } from '../protocol/protocol'
import type { Scheduler } from './scheduler'
import type { EngineSupervisor } from './supervisor'

/** Milliseconds of one turn. */
const turnLength = 12

/** Milliseconds until the page shows that maps are missing. */
const reportDelay = 400

interface PaintContext {
  scheduler: Scheduler
  supervisor: EngineSupervisor
  surface(): Promise<Surface | undefined>
  model(): LoadedModel | undefined
  yieldToEventLoop(): Promise<void>
  now(): number
  /** Reports how many maps are not painted yet. */
  report(left: number): void
  fail(reason: Failure): void
}

/** A place in the grid; `GridLayout.order` says which head it has. */
interface CellPlace {
  layer: number
  place: number
}

export class Painting {
  readonly #context: PaintContext
  #canvas: OffscreenCanvas | undefined
  /** Firefox returns a canvas's context only once after the canvas was on the screen. */
  #canvasContext: OffscreenCanvasRenderingContext2D | null = null
  #layout: GridLayout | undefined
  #hadEngine = false
  #view: GridView | undefined
  /** 256 × 3 sRGB bytes. */
  #palette: Uint8Array | undefined
  /** Numbers of the places with a map of the newest run. */
  #done = new Set<number>()
  #startTime = 0
  #hasReported = false
  /** Whether the canvas has its size and background. */
  #hasGround = false

  constructor(context: PaintContext) {
    this.#context = context
  }

  mount(canvas: OffscreenCanvas): void {
    this.#context.scheduler.add('setup', async () => this.#use(canvas), 'canvas')
  }

  setLayout(layout: GridLayout): void {
    this.#context.scheduler.add('setup', async () => this.#apply(layout), 'layout')
  }

  /** A canvas gives its context once, so the page mounts a new canvas for each later engine. */
  engineOpened(): void {
    this.#use(this.#hadEngine ? undefined : this.#canvas)
    this.#hadEngine = true
    if (this.#layout) this.#apply(this.#layout)
  }

  #use(canvas: OffscreenCanvas | undefined): void {
    if (canvas !== this.#canvas) this.#canvasContext = null
    this.#canvas = canvas
    this.#hasGround = false
    if (canvas && this.#context.supervisor.paintsItself) this.#paintOn((engine) => engine.attach(canvas))
    this.repaint()
  }

  #apply(layout: GridLayout): void {
    this.#layout = layout
    this.#palette = undefined
    this.#hasGround = false
    this.repaint()
    const { cell, gap, stops, ground, order } = layout
    this.#paintOn((engine) => engine.layout(cell, gap, stops, ground, order))
  }

  /** A failure of the picture leaves the engine running. */
  #paintOn(paint: (engine: WasmEngine) => void): void {
    const { engine } = this.#context.supervisor
    try {
      if (engine) paint(engine)
    } catch (error) {
      if (!isFailure(error)) throw error
      this.#context.fail(error)
    }
  }

  setView(view: GridView): void {
    this.#view = view
  }

  /** Paints all maps again; the former maps stay until then. */
  repaint(): void {
    this.#done = new Set()
    this.#startTime = this.#context.now()
    this.#schedule()
  }

  #schedule(): void {
    this.#context.scheduler.add('read', () => this.#paint(), 'paint')
  }

  async #paint(): Promise<void> {
    const { now, yieldToEventLoop, supervisor } = this.#context
    const [canvas, layout, model] = [this.#canvas, this.#layout, this.#context.model()]
    const engine = supervisor.paintsItself ? undefined : supervisor.engine
    if (!canvas || !layout || !engine || !model?.newest) return
    const context = (this.#canvasContext ??= canvas.getContext('2d'))
    if (!context) return
    const { newest: run } = model
    const part = partName(run.pair)
    const { num_hidden_layers: layers, num_attention_heads: heads } = infoOfPart(model.info, part)
    this.#palette ??= (await this.#context.surface())?.palette(layout.stops)
    const palette = this.#palette
    if (!palette) return
    this.#prepareCanvas(canvas, context, layout, layers, heads)
    const pause = async () => {
      await yieldToEventLoop()
      return !this.#context.scheduler.waitsBefore('read')
    }
    const startTime = now()
    try {
      do {
        const next = nextPlace(this.#done, this.#view, layers, heads)
        if (!next) break
        const number = next.layer * heads + next.place
        const head = layout.order[number] ?? next.place
        const numbers = await engine.map(run.number, part, 'weight', next.layer, head, layout.cell, pause)
        if (!numbers) return
        const image = context.createImageData(layout.cell, layout.cell)
        paintCell(image.data, numbers, layout.cell, palette)
        context.putImageData(image, next.place * pitch(layout), next.layer * pitch(layout))
        this.#done.add(number)
      } while (now() - startTime < turnLength)
    } catch (error) {
      if (!isFailure(error)) throw error
      // A run or a layout came first.
      if (error.code === 'cancelled') this.#schedule()
      else this.#context.fail(error)
      return
    }
    const left = layers * heads - this.#done.size
    this.#report(left)
    if (left === 0) return
    await yieldToEventLoop()
    this.#schedule()
  }

  #report(left: number): void {
    if (left === 0 ? !this.#hasReported : this.#context.now() - this.#startTime < reportDelay) return
    this.#hasReported = left > 0
    this.#context.report(left)
  }

  /** Sets the canvas's size and background. */
  #prepareCanvas(
    canvas: OffscreenCanvas,
    context: OffscreenCanvasRenderingContext2D,
    { cell, gap, ground }: GridLayout,
    layers: number,
    heads: number,
  ): void {
    const side = (count: number) => Math.max(1, count * cell + Math.max(0, count - 1) * gap)
    const [width, height] = [side(heads), side(layers)]
    if (this.#hasGround && canvas.width === width && canvas.height === height) return
    canvas.width = width
    canvas.height = height
    context.fillStyle = `rgb(${ground.join()})`
    context.fillRect(0, 0, width, height)
    this.#hasGround = true
    this.#done = new Set()
  }
}

const pitch = ({ cell, gap }: GridLayout) => cell + gap

/** The next map to paint: the first visible one, else the first of all. */
export function nextPlace(
  done: ReadonlySet<number>,
  view: GridView | undefined,
  layers: number,
  heads: number,
): CellPlace | undefined {
  let other: CellPlace | undefined
  for (let layer = 0; layer < layers; layer++) {
    const [first, end] = view?.layers ?? [0, layers]
    const [left, right] = view?.places ?? [0, heads]
    for (let place = 0; place < heads; place++) {
      if (done.has(layer * heads + place)) continue
      if (layer >= first && layer < end && place >= left && place < right) return { layer, place }
      other ??= { layer, place }
    }
  }
  return other
}

/** Paints a map (side, side) as RGBA (cell, cell). A pixel shows the largest of its numbers, as in the engine's painter. */
export function paintCell(pixels: Uint8ClampedArray, map: Float32Array, cell: number, palette: Uint8Array): void {
  const side = Math.round(Math.sqrt(map.length))
  const first = Array.from({ length: cell }, (_, at) => Math.floor((at * side) / cell))
  const end = first.map((from, at) => Math.min(side, Math.max(from + 1, Math.ceil(((at + 1) * side) / cell))))
  for (let y = 0; y < cell; y++) {
    for (let x = 0; x < cell; x++) {
      let most = 0
      for (let row = first[y] ?? 0; row < (end[y] ?? 0); row++) {
        for (let column = first[x] ?? 0; column < (end[x] ?? 0); column++) {
          most = Math.max(most, map[row * side + column] ?? 0)
        }
      }
      const entry = 3 * Math.round(Math.sqrt(Math.min(1, most)) * 255)
      const at = 4 * (y * cell + x)
      for (let channel = 0; channel < 3; channel++) pixels[at + channel] = palette[entry + channel] ?? 0
      pixels[at + 3] = 255
    }
  }
}
