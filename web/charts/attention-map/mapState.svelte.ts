// The state of a map, derived from numbers, cursor, room and pointer. It knows nothing of the page.
import { untrack } from 'svelte'
import { devicePixelRatio } from 'svelte/reactivity/window'
import { ramp } from '../colour'
import { inSlices } from '../../ui/slices.svelte'
import { signed, weight } from '../../i18n/numbers'
import { isWeighing, type MapKind } from '../../engine/protocol/protocol'
import type { Scene, Size } from '../marks'
import { diverging, sequential, type Scheme } from '../../styles/colours'
import { t } from './messages.en'
import { barHeight, drawBar, drawGrid, drawOthers, drawOverview, drawRanking, raster } from './draw'
import { arrangeLong, arrangeAll, longText, roomFor, type CellUnderPointer, follow, partAround } from './layout'
import { drawLens, shortNorm, shortSigned, shortWeight } from './lens'
import {
  acrossOf,
  cellOf,
  partExtent,
  extentOf,
  forbids,
  greatest,
  greatestAround,
  headMap,
  type MapCell,
  rank,
  rowOf,
  valueAt,
  type MapHeads,
} from './model'
import { painting, scaleOf, type Paint, type Part, type Picture, type WeightScale } from './paint'

/** The numbers of a map, with the tokens of their text. */
export interface Numbers {
  /** Of which heads. */
  subject: MapHeads
  kind: MapKind
  /** (length, length) */
  values: Float32Array
  /** The attention weights of the same heads; undefined if they were not requested. */
  weights: Float32Array | undefined
  /** The texts of all tokens. */
  names: readonly string[]
  causal: boolean
  /** Of cross-attention: the tokens of the source, which come first. */
  source?: number | undefined
  /** Whether attention is linear, whose weights are signed. */
  linear: boolean
  /** The site of the number of a query and a key, by their positions in the text; undefined where the numbers have none. */
  siteOf?: ((query: number, key: number) => string) | undefined
}

interface MapInputs {
  /** Undefined while they are loading. */
  numbers: Numbers | undefined
  /** The selected query and key, by their positions in the text. */
  cursor: MapCell
  /** The key's position while it walks, by its position in the text. */
  walkKey?: number | undefined
  /** Positions that the map leaves out. */
  hidden: ReadonlySet<number> | undefined
  scale: WeightScale
  /** 256 × 3 sRGB bytes of weights; undefined until the engine has computed them. */
  palette: Uint8Array | undefined
  scheme: Scheme
  /** CSS px. */
  width: number
  height: number
}

/** The least number without a sign that a ranking lists. */
const leastListed = 0.001

const nothing = new Float32Array()
/** The longer side of a picture, in CSS px. */
const acrossPx = (of: Size | undefined): number => (of ? Math.max(of.width, of.height) : 0)

const emptyPicture: Picture = { columns: 0, rows: 0, image: new Uint8ClampedArray() }

export class MapState {
  readonly #inputs: () => MapInputs
  pointed: CellUnderPointer | null = $state.raw(null)
  /** Tokens across the part of a long text; undefined: as many as fit well. */
  #across = $state<number>()
  #part: Part = $state.raw({ query: 0, key: 0, queries: 0, keys: 0 })

  constructor(inputs: () => MapInputs) {
    this.#inputs = inputs
    // The part of a long text follows the cursor.
    $effect.pre(() => {
      const { centre, extent } = this
      const { part: across } = this.arrangement
      untrack(() => {
        const part = this.#hasSize(across) ? this.#part : partAround(centre, across, extent)
        this.#part = follow(part, centre, across, extent)
      })
    })
    // Of a long text both have millions of cells: the page stays responsive.
    this.#paint(
      (picture) => (this.#cells = picture),
      () => {
        const { map, part, scale, arrangement } = this
        const most = Math.floor(acrossPx(arrangement.grid) * (devicePixelRatio.current ?? 1))
        return { map, part, most, scale, palette: this.#palette, over: untrack(() => this.#cells) }
      },
    )
    this.#paint(
      (picture) => (this.#overview = picture),
      () => {
        const { map, extent, scale } = this
        const most = Math.floor(this.#overviewSide * (devicePixelRatio.current ?? 1))
        if (most === 0) return undefined
        const part = { query: 0, key: 0, ...extent }
        return { map, part, most, scale, palette: this.#palette, over: untrack(() => this.#overview) }
      },
    )
  }

  #numbers = $derived.by(() => this.#inputs().numbers)
  #names = $derived.by(() => this.#numbers?.names ?? [])
  kind = $derived.by((): MapKind => this.#numbers?.kind ?? 'weight')
  isLinear = $derived.by(() => this.#numbers?.linear ?? false)
  isSigned = $derived.by(() => this.isLinear || !isWeighing(this.kind))
  #hidden = $derived.by(() => this.#inputs().hidden)
  #mapInput = $derived.by(() => ({
    names: this.#names,
    causal: this.#numbers?.causal ?? false,
    source: this.#numbers?.source,
    ...(this.#hidden ? { hidden: this.#hidden } : {}),
  }))
  /** The weights of a map of any kind; undefined if they were not requested. */
  weights = $derived.by(() => {
    const values = this.#numbers ? this.#numbers.weights : nothing
    return values && headMap({ ...this.#mapInput, values, renormalise: !this.isLinear })
  })
  map = $derived.by(
    () =>
      (this.kind === 'weight' ? this.weights : undefined) ??
      headMap({ ...this.#mapInput, values: this.#numbers?.values ?? nothing }),
  )
  extent = $derived.by(() => extentOf(this.map))
  #scheme = $derived.by(() => this.#inputs().scheme)
  #palette = $derived.by(() =>
    this.isSigned ? ramp(diverging[this.#scheme]) : (this.#inputs().palette ?? ramp(sequential[this.#scheme])),
  )
  scale = $derived.by(() => scaleOf(this.map, this.kind, this.#inputs().scale, this.isSigned))
  format = $derived.by(() => (this.isSigned ? signed : weight))

  /** The selected cell; null if the map leaves it out. */
  selected = $derived.by(() => cellOf(this.map, this.#inputs().cursor))
  centre = $derived.by(() => this.selected ?? { query: 0, key: 0 })
  /** The selected query with the key that walks. */
  #walkCell = $derived.by(() => {
    const { walkKey: key, cursor } = this.#inputs()
    return key === undefined ? null : cellOf(this.map, { query: cursor.query, key })
  })
  /** The cell under the pointer. */
  hovered = $derived.by((): CellUnderPointer | null => {
    const { pointed, extent, map } = this
    if (!pointed || pointed.query >= extent.queries || pointed.key >= extent.keys) return null
    const radius = Math.ceil(1 / (this.arrangement.overview?.pitch ?? 1))
    return pointed.small ? { ...pointed, ...greatestAround(map, pointed, radius) } : pointed
  })
  #read = $derived.by((): MapCell | null => this.hovered ?? this.selected)

  #long = $derived.by(() => acrossOf(this.extent) >= longText)
  room = $derived.by(() => roomFor(this.#inputs().width, this.#inputs().height, this.#long))
  arrangement = $derived.by(() => {
    const { width } = this.#inputs()
    const { extent, room } = this
    const { queries, keys } = this.map
    const labels = { queries: queries.names, keys: keys.names, last: queries.positions.at(-1) ?? 0 }
    const ratio = devicePixelRatio.current ?? 1
    if (this.#long) return arrangeLong(width, room, extent, this.#across, labels, ratio)
    // Without any token there is still a grid.
    const least = { queries: Math.max(extent.queries, 1), keys: Math.max(extent.keys, 1) }
    return { ...arrangeAll(width, room, least, labels, ratio), part: acrossOf(extent) }
  })
  /** The part that is enlarged. */
  part = $derived.by(() => {
    const { extent } = this
    const [part, across] = [this.#part, this.arrangement.part]
    const isIn = part.query + part.queries <= extent.queries && part.key + part.keys <= extent.keys
    return this.#hasSize(across) && isIn ? part : partAround(this.centre, across, extent)
  })

  // Painted when the head, its part or its colours change; a pointer move draws outlines alone.
  #cells: Picture = $state.raw(emptyPicture)
  #overview: Picture = $state.raw(emptyPicture)
  /** Derived alone: moving or zooming the part does not paint the overview. */
  #overviewSide = $derived.by(() => acrossPx(this.arrangement.overview))
  picture = $derived.by((): Scene => {
    const { map, part, selected, hovered, arrangement, room } = this
    const { grid, overview } = arrangement
    const over = overview ? drawOverview(map, overview, part, selected) : []
    const marks = drawGrid({
      map,
      grid,
      part,
      selected,
      walkCell: this.#walkCell,
      pointed: hovered,
      axes: t().axes(map.cross),
    })
    const rasters = [raster(grid, this.#cells), ...(overview ? [raster(overview, this.#overview)] : [])]
    return { width: this.#inputs().width, height: room, marks: [...rasters, ...over, ...marks] }
  })

  #row = $derived.by(() => (this.#read ? rowOf(this.map, this.#read.query) : new Float32Array()))
  value = $derived.by(() => {
    const read = this.#read
    return read && !forbids(this.map, read) ? valueAt(this.map, read) : undefined
  })
  reading = $derived.by(() => {
    const { value, format } = this
    const [read, cursor] = [this.#read, this.#inputs().cursor]
    const [m, n] = read ? [this.queryAt(read.query), this.keyAt(read.key)] : [cursor.query, cursor.key]
    return {
      value: value === undefined ? '–' : format(value),
      site: value === undefined ? undefined : this.#numbers?.siteOf?.(m, n),
      pair: t().pair(this.#names[m] ?? '', m, this.#names[n] ?? '', n),
      rank: !read ? t().leftOut : value === undefined ? t().forbidden : this.#rankOf(read),
    }
  })
  bar = $derived.by((): Scene => {
    const { reading } = this.arrangement
    const { scale, value } = this
    const width = reading.stacked ? reading.width : Math.max(140, reading.width - 230)
    return { width, height: barHeight, marks: drawBar({ width, scale, palette: this.#palette, value }) }
  })
  ranking = $derived.by(() => {
    const { ranking: box } = this.arrangement
    const [read, row] = [this.#read, this.#row]
    if (!box || !read) return undefined
    const of = {
      map: this.map,
      key: read.key,
      width: box.width,
      reach: this.scale.ticks.at(-1) ?? 1,
      format: this.format,
      signed: this.isSigned,
    }
    const ranked = greatest(row, box.rows)
    // Numbers that are all written as "< 0.001" say nothing more.
    const listed = this.isSigned ? ranked : ranked.filter(({ value }) => value >= leastListed)
    const marks = drawRanking(listed, of)
    if (listed.length < ranked.length) marks.push(drawOthers(row.length - listed.length, listed.length, box.width))
    const scene: Scene = { width: box.width, height: box.height - 20, marks }
    const position = this.queryAt(read.query)
    return { box, title: t().ranking(this.kind, this.#names[position] ?? '', position), scene }
  })
  /** The enlarged cells under a finger. */
  lens = $derived.by(() => {
    const { hovered, map, scale } = this
    if (!hovered?.touch) return undefined
    const scheme = this.#scheme
    const formatOfKind = this.kind === 'weight' ? shortWeight : shortNorm
    const format = this.isSigned ? shortSigned : formatOfKind
    return {
      finger: hovered.touch,
      scene: drawLens({ map, place: hovered, scale, palette: this.#palette, scheme, format }),
    }
  })
  /** The selected cell in words. */
  spoken = $derived.by(() => {
    const { selected, map, format } = this
    const numbers = this.#numbers
    if (!selected || !numbers) return ''
    const [m, n] = [this.queryAt(selected.query), this.keyAt(selected.key)]
    const place = {
      subject: numbers.subject,
      query: this.#names[m] ?? '',
      m,
      key: this.#names[n] ?? '',
      n,
    }
    const row = rowOf(map, selected.query)
    const found = `${t().measured(numbers.kind, format(valueAt(map, selected)))}, ${t().rank(rank(row, selected.key), row.length)}`
    return t().spoken(place, forbids(map, selected) ? t().forbidden : found)
  })

  /** Paints what is requested, and shows it as far as it is painted. */
  #paint(show: (picture: Picture) => void, request: () => Paint | undefined): void {
    $effect.pre(() => {
      const paint = request()
      return paint && inSlices(painting(paint), show, show)
    })
  }

  /** The position in the text of a row. */
  queryAt(row: number): number {
    return this.map.queries.positions[row] ?? 0
  }

  /** The position in the text of a column. */
  keyAt(column: number): number {
    return this.map.keys.positions[column] ?? 0
  }

  /** Whether the enlarged part has so many tokens across. */
  #hasSize(across: number): boolean {
    const { queries, keys } = partExtent(across, this.extent)
    return this.#part.queries === queries && this.#part.keys === keys
  }

  /** Enlarges another part of a long text. */
  readonly move = (part: Part): void => {
    this.#across = acrossOf(part)
    this.#part = part
  }

  #rankOf({ query, key }: MapCell): string {
    const found = t().rank(rank(this.#row, key), this.#row.length)
    if (!this.arrangement.reading.stacked) return found
    // A token of the text is at no distance from one of the source.
    const away = this.#numbers?.source === undefined ? t().away(this.queryAt(query), this.keyAt(key)) : undefined
    return t().rankAway(this.kind, found, away)
  }
}
