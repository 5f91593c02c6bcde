// What the lines need: the maps of the selected head and of the one to compare with.
import { PatternSearch, headlineOf } from '../../charts/attention-map/pattern.svelte'
import { shortWeight } from '../../charts/attention-map/lens'
import { acrossOf, cellOf, extentOf, headMap, type HeadMap, type MapCell } from '../../charts/attention-map/model'
import type { Scene } from '../../charts/marks'
import { sourceOf } from '../../engine/protocol/parts'
import type { HeadResult } from '../../engine/protocol/protocol'
import { resource, type Resource } from '../../session/resource.svelte'
import type { Inputs } from '../module'
import { runCommand } from '../command'
import type { Published } from '../output'
import { partsOfMap, siteOfCell } from '../sites'
import {
  edgesOf,
  tableOf,
  type Edges,
  layOutLines,
  linesHeight,
  within,
  type LinesLayout,
  type Side,
  drawLines,
  drawRuler,
  drawTitles,
  drawTokens,
  inks,
  type Curves,
} from './picture'
import type { LinesParams } from '.'
import { t } from './messages.en'

/** The height of the legend above the lines, in CSS px. */
export const legendHeight = 30

/** Tokens below each other in a figure, at most, and their distance in px. */
const mostRows = 60
const figurePitch = 17

interface HeadRequest {
  params: { run: number; layer: number; head: number }
}

/** What the pointer does to the tokens. */
class LinesInteraction {
  /** The token below the pointer. */
  pointed: Side | null = $state.raw(null)
  /** The first visible token, before it is clamped. */
  scrolled = $state(0)
}

/** What the view's component draws. */
export interface LinesDrawing {
  map: HeadMap
  /** The names of the two heads in words; empty where there is one. */
  legend: readonly string[]
  layout: LinesLayout
  /** The first visible row, and how many rows there are. */
  first: number
  count: number
  /** By row and column of the map. */
  selected: MapCell
  curves: readonly Curves[]
  tokens: Scene
  isEmpty: boolean
  interaction: LinesInteraction
}

export class LinesData {
  readonly #inputs: Inputs<LinesParams>
  readonly #other: Resource<'head', HeadRequest>
  readonly #search: PatternSearch
  readonly #interaction = new LinesInteraction()

  constructor(inputs: Inputs<LinesParams>) {
    this.#inputs = inputs
    this.#other = resource(inputs.bench.engine, 'head', () => {
      const [{ other }, run] = [inputs.bench.choice, inputs.run?.id]
      return other && run !== undefined ? { params: { run, layer: other.layer, head: other.head } } : undefined
    })
    this.#search = new PatternSearch(
      () => this.map,
      () => inputs.run?.reading.ids ?? [],
    )
  }

  readonly head: HeadResult | undefined = $derived.by(() => this.#inputs.run?.head)
  readonly otherHead: HeadResult | undefined = $derived.by(() => this.#other.current)
  readonly names: readonly string[] = $derived.by(() => this.#inputs.run?.reading.display ?? [])
  readonly map: HeadMap | undefined = $derived.by(() => this.#mapOf(this.head))
  readonly other: HeadMap | undefined = $derived.by(() => this.#mapOf(this.otherHead))
  readonly edges = $derived.by(() => this.map && edgesOf(this.map, this.#inputs.params.least))
  readonly otherEdges = $derived.by(() => this.other && edgesOf(this.other, this.#inputs.params.least))

  /** Rows of tokens. */
  readonly count: number = $derived.by(() => (this.map ? acrossOf(extentOf(this.map)) : this.names.length))
  readonly layout: LinesLayout = $derived.by(() => {
    const { width, height } = this.#inputs
    const { count, names } = this
    return layOutLines(width, linesHeight(width, height - legendHeight, count), names, count)
  })
  /** The first visible token. */
  readonly first: number = $derived.by(() => within(this.#interaction.scrolled, this.layout.rows, this.count))
  readonly selected = $derived.by(() => {
    const { map } = this
    return (map && cellOf(map, this.#inputs.cursor)) ?? { query: 0, key: 0 }
  })
  readonly pointedToken: Side | null = $derived.by(() => {
    const { map } = this
    const { pointed } = this.#interaction
    const axis = pointed?.side === 'query' ? map?.queries : map?.keys
    return pointed && pointed.at < (axis?.positions.length ?? 0) ? pointed : null
  })
  readonly curves: readonly Curves[] = $derived.by(() => {
    const { edges, otherEdges, layout, first } = this
    if (!edges) return []
    const of = { layout, first, only: this.pointedToken, query: this.selected.query }
    const own = drawLines({ ...of, edges, ink: otherEdges ? inks.first : inks.alone })
    return otherEdges ? [...own, ...drawLines({ ...of, edges: otherEdges, ink: inks.second })] : own
  })
  /** Everything but the curves, which are on a canvas. */
  readonly tokens: Scene = $derived.by(() => {
    const { map, layout, first, selected } = this
    const marks = map
      ? [
          ...drawRuler(layout, first, map, selected),
          ...drawTokens({
            map,
            layout,
            first,
            selected,
            pointed: this.pointedToken,
            least: this.#inputs.params.least,
            format: shortWeight,
            tone: this.otherEdges ? inks.first.tone : 'ink',
          }),
        ]
      : []
    return { width: layout.width, height: layout.height, marks }
  })

  get drawing(): LinesDrawing | undefined {
    const { head, otherHead, map, edges, otherEdges, layout, first, count, selected, curves, tokens } = this
    if (!head || !map) return undefined
    return {
      map,
      legend: otherHead ? [t().head('A', head.layer, head.head), t().head('B', otherHead.layer, otherHead.head)] : [],
      layout,
      first,
      count,
      selected,
      curves,
      tokens,
      isEmpty: edges?.weight.length === 0 && !otherEdges?.weight.length,
      interaction: this.#interaction,
    }
  }

  #mapOf(head: HeadResult | undefined): HeadMap | undefined {
    const { run } = this.#inputs
    if (!run || !head || head.run !== run.id || this.names.length !== head.length) return undefined
    const { names } = this
    const source = sourceOf(run.reading.pair)
    return headMap({ values: head.attention, names, causal: run.model.info.is_decoder, source })
  }

  /** All lines and tokens of a text that is not too long, as if the view were so large; of a longer one those from the first visible on. */
  figure(width: number, crosshair: boolean): Scene {
    const { map, edges, otherEdges, count, names } = this
    const rows = Math.min(count, mostRows)
    const layout = { ...layOutLines(width, Math.max(count, 1) * figurePitch, names, count), rows }
    const first = within(this.first, rows, count)
    const selected = crosshair ? this.selected : null
    if (!map || !edges) return { width, height: 0, marks: [] }
    const of = { layout, first, only: null, query: selected?.query }
    const tokens = { map, layout, first, selected, pointed: null, least: this.#inputs.params.least }
    return {
      width,
      height: layout.height,
      marks: [
        ...drawLines({ ...of, edges, ink: otherEdges ? inks.first : inks.alone }),
        ...(otherEdges ? drawLines({ ...of, edges: otherEdges, ink: inks.second }) : []),
        ...drawTokens({ ...tokens, format: shortWeight, tone: otherEdges ? inks.first.tone : 'ink' }),
        ...drawTitles(layout, map.cross, otherEdges ? [this.head, this.otherHead] : []),
      ],
    }
  }

  /** The largest weights of the cells that the headline is about. */
  readonly #parts = $derived.by(() => {
    const { head, map } = this
    const { run } = this.#inputs
    const { finding } = this.#search
    if (!run || !head || !map || !finding) return undefined
    const cells = finding.cells.map(({ query, key }) => ({
      query: map.queries.positions[query] ?? 0,
      key: map.keys.positions[key] ?? 0,
    }))
    return partsOfMap(head, cells, run)
  })

  get published(): Published {
    const { head, map, otherHead, other } = this
    const { run } = this.#inputs
    if (!run || !head || !map) return {}
    const { isRunning, finding } = this.#search
    const place = { mean: 'head', layer: head.layer, head: head.head, count: 1, withoutSpecial: false } as const
    const tables = (of: HeadResult | undefined, map: HeadMap | undefined, edges: Edges | undefined) =>
      of && map && edges
        ? [
            tableOf(t().table(of.layer, of.head), map, edges, (query, key) =>
              siteOfCell('attentions.N', { layer: of.layer, head: of.head, query, key }, run),
            ),
          ]
        : []
    return {
      headline: isRunning || finding ? headlineOf(finding, place) : undefined,
      parts: this.#parts,
      tables: [...tables(head, map, this.edges), ...tables(otherHead, other, this.otherEdges)],
      command: runCommand(run, ['attentions']),
    }
  }
}
