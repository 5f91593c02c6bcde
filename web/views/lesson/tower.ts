// The model drawn from the bottom up: the embeddings, and in each layer what attention and the feed-forward network add to each token.
import type { Box, Mark } from '../../charts/marks'
import { asCursor } from '../../charts/marks'
import { paintCells } from '../../charts/matrix'
import { weightEntry } from '../../charts/colour'
import { integer } from '../../i18n/numbers'
import { t } from './messages.en'
import type { Step } from './steps'
import { rowOf, type Subject } from './subject'

/** Norms of what a layer adds to a token. */
export interface Added {
  attention: number
  feedForward: number
}

/** Px of a row that has room for its name. */
const namedPitch = 11

export class Tower {
  readonly subject: Subject
  readonly #length: number
  readonly #rows: readonly {
    layer: number
    of: 'embedding' | 'attention' | 'cross' | 'feedForward'
    norms: Float32Array
  }[]

  /** @param norms of `sitesOfTower` */
  constructor(subject: Subject, norms: readonly Float32Array[]) {
    this.subject = subject
    const { rows, info } = subject
    const length = rows.to - rows.from
    const layers = info.num_hidden_layers
    const [embedding = new Float32Array(), attention = embedding, ...others] = norms
    const feedForward = others.at(-1) ?? embedding
    const cross = others.length > 1 ? others[0] : undefined
    const of = (norms: Float32Array, layer: number) => norms.subarray(layer * length, (layer + 1) * length)
    this.#length = length
    this.#rows = [
      { layer: -1, of: 'embedding', norms: embedding },
      ...Array.from({ length: layers }, (_, layer) => [
        { layer, of: 'attention' as const, norms: of(attention, layer) },
        ...(cross ? [{ layer, of: 'cross' as const, norms: of(cross, layer) }] : []),
        { layer, of: 'feedForward' as const, norms: of(feedForward, layer) },
      ]).flat(),
    ]
  }

  /** What each layer adds to a token; of a decoder both attentions together. */
  columnOf(position: number): Added[] {
    const at = rowOf(this.subject, position)
    const layers = this.subject.info.num_hidden_layers
    const sum = (layer: number, isOf: (of: string) => boolean) =>
      this.#rows
        .filter((row) => row.layer === layer && isOf(row.of))
        .reduce((sum, { norms }) => sum + (norms[at] ?? 0), 0)
    return Array.from({ length: layers }, (_, layer) => ({
      attention: sum(layer, (of) => of === 'attention' || of === 'cross'),
      feedForward: sum(layer, (of) => of === 'feedForward'),
    }))
  }

  /** The norm of a token's embedding. */
  embeddingOf(position: number): number {
    return this.#rows[0]?.norms[rowOf(this.subject, position)] ?? 0
  }

  layOut(box: Box) {
    const pitch = Math.max(2, Math.min(24, (box.height - 54) / this.#rows.length))
    const names = pitch < namedPitch ? 26 : 86
    const cells = { x: box.x + names, y: box.y + 20, width: box.width - names, height: pitch * this.#rows.length }
    return { pitch, cells, bottom: cells.y + cells.height + 30 }
  }

  /** The layer and the token at a place; undefined outside of the cells. */
  at(x: number, y: number, box: Box): { layer: number; query: number } | undefined {
    const { cells, pitch } = this.layOut(box)
    const row = this.#rows[this.#rows.length - 1 - Math.floor((y - cells.y) / pitch)]
    const token = Math.floor(((x - cells.x) / cells.width) * this.#length)
    if (!row || token < 0 || token >= this.#length) return undefined
    return { layer: Math.max(0, row.layer), query: this.subject.rows.from + token }
  }

  draw(box: Box, step: Step, palette: Uint8Array | undefined): Mark[] {
    const { cells, pitch, bottom } = this.layOut(box)
    const rows = [...this.#rows].reverse()
    const values = new Float32Array(rows.length * this.#length)
    rows.forEach(({ norms }, row) => values.set(norms, row * this.#length))
    const largest = values.reduce((most, value) => Math.max(most, value), 0) || 1
    const cell = cells.width / this.#length
    const { layer, query, part } = this.subject
    const y = (row: number) => cells.y + row * pitch
    const place = rows.findIndex(
      (row) => row.layer === placeOf(step, layer, part).layer && row.of === placeOf(step, layer, part).of,
    )
    const every = Math.ceil(namedPitch / (pitch * (rows.length / Math.max(1, this.subject.info.num_hidden_layers))))
    const isNamed = pitch >= namedPitch
    const names = rows.flatMap(({ layer, of }, row): Mark[] =>
      isNamed || (of === 'attention' && layer % every === 0)
        ? [
            {
              kind: 'text',
              x: cells.x - 6,
              y: y(row) + (isNamed ? pitch / 2 : 0) + 4,
              text: isNamed ? t().tower.rows[of](layer) : integer(layer),
              anchor: 'end',
              size: 10,
              room: cells.x - box.x - 6,
            },
          ]
        : [],
    )
    return [
      ...(palette
        ? [
            paintCells(
              { values, length: this.#length, table: palette, entry: (value) => weightEntry(value / largest) },
              { ...cells, from: { query: 0, key: 0 }, queries: rows.length, keys: this.#length },
            ),
          ]
        : []),
      {
        kind: 'rect',
        x: cells.x - 0.5,
        y: cells.y - 0.5,
        width: cells.width + 1,
        height: cells.height + 1,
        stroke: 'rule',
      },
      { kind: 'text', x: box.x, y: box.y + 13, text: t().tower.top, size: 11, room: box.width },
      { kind: 'text', x: box.x, y: bottom - 16, text: t().tower.bottom, size: 11, room: box.width },
      { kind: 'text', x: box.x, y: bottom - 2, text: t().tower.colours, size: 11, tone: 'quiet', room: box.width },
      ...names,
      ...asCursor([
        {
          kind: 'rect',
          x: cells.x + rowOf(this.subject, query) * cell,
          y: cells.y,
          width: Math.max(2, cell),
          height: cells.height,
          stroke: 'query',
          weight: step === 'guess' ? 2.5 : 1,
        },
        ...(place < 0
          ? []
          : [
              {
                kind: 'rect',
                x: cells.x - 1,
                y: y(place) - 1,
                width: cells.width + 2,
                height: pitch + 2,
                stroke: 'ink',
                weight: 2,
              } as const,
            ]),
      ]),
    ]
  }
}

/** The row of the tower that a step is about. */
function placeOf(step: Step, layer: number, part: Subject['part']): { layer: number; of: string } {
  if (step === 'tokens' || step === 'vectors') return { layer: -1, of: 'embedding' }
  if (step === 'guess') return { layer: -1, of: '' }
  if (step === 'feedForward') return { layer, of: 'feedForward' }
  return { layer, of: part === 'cross' ? 'cross' : 'attention' }
}
