// What the lines need: the maps of the selected head and of the one to compare with.
import { PatternSearch, headlineOf } from '../../charts/attention-map/pattern.svelte'
import { shortWeight } from '../../charts/attention-map/lens'
import { headMap, type HeadMap } from '../../charts/attention-map/model'
import type { Scene } from '../../charts/marks'
import type { HeadResult } from '../../engine/protocol/protocol'
import { resource, type Resource } from '../../session/resource.svelte'
import type { Inputs } from '../body'
import { runCommand } from '../command'
import type { Published } from '../output'
import { edgesOf, tableOf, type Edges } from './data'
import type { LinesParams } from '.'
import { layOutLines, linesHeight, within, type LinesLayout, type Side } from './layout'
import { t } from './messages.en'
import { drawLines, drawRuler, drawTokens, inks, type Curves } from './picture'

/** The height of the legend above the lines, in CSS px. */
export const legendHeight = 30

interface HeadRequest {
  params: { run: number; layer: number; head: number }
}

export class LinesData {
  readonly #inputs: Inputs<LinesParams>
  readonly #other: Resource<'head', HeadRequest>
  readonly #search: PatternSearch
  /** The token below the pointer. */
  pointed: Side | null = $state.raw(null)
  /** The first visible token, before it is clamped. */
  scrolled = $state(0)

  constructor(inputs: Inputs<LinesParams>) {
    this.#inputs = inputs
    this.#other = resource(inputs.bench.engine, 'head', () => {
      const [{ other }, run] = [inputs.bench.choice, inputs.run?.result.run]
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

  readonly layout: LinesLayout = $derived.by(() => {
    const { width, height } = this.#inputs
    return layOutLines(width, linesHeight(width, height - legendHeight, this.names.length), this.names)
  })
  /** The first visible token. */
  readonly first: number = $derived.by(() => within(this.scrolled, this.layout.rows, this.names.length))
  readonly selected = $derived.by(() => {
    const { query, key } = this.#inputs.cursor
    const last = this.names.length - 1
    return { query: Math.min(query, last), key: Math.min(key, last) }
  })
  readonly pointedToken: Side | null = $derived.by(() =>
    this.pointed && this.pointed.at < this.names.length ? this.pointed : null,
  )
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

  #mapOf(head: HeadResult | undefined): HeadMap | undefined {
    const { run } = this.#inputs
    if (!run || !head || head.run !== run.result.run || this.names.length !== head.length) return undefined
    return headMap({ values: head.attention, names: this.names, causal: run.model.info.is_decoder })
  }

  get published(): Published {
    const { head, map, otherHead, other } = this
    const { run } = this.#inputs
    if (!run || !head || !map) return {}
    const { isRunning, finding } = this.#search
    const place = { mean: 'head', layer: head.layer, head: head.head, count: 1, withoutSpecial: false } as const
    const tables = (of: HeadResult | undefined, map: HeadMap | undefined, edges: Edges | undefined) =>
      of && map && edges ? [tableOf(t().table(of.layer, of.head), map, edges)] : []
    return {
      headline: isRunning || finding ? headlineOf(finding, place) : undefined,
      tables: [...tables(head, map, this.edges), ...tables(otherHead, other, this.otherEdges)],
      command: runCommand(run, ['attentions']),
    }
  }
}
