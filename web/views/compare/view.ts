// Two maps side by side, their difference, and where there is room the cells in which they differ most.
import type { Scene, Mark } from '../../charts/marks'
import type { Action } from '../../ui/keys'
import { walkCell } from '../../ui/walk'
import { attentionOf } from '../../session/interventions'
import type { ModelInfo } from '../../engine/protocol/protocol'
import { newest } from '../../session/resource.svelte'
import { clampHead, type HeadPlace } from '../../viewstate/choice'
import type { Inputs } from '../module'
import { Output, type Headline, type PanelItem, type PanelRow, type Target } from '../output'
import { siteOfCell } from '../sites'
import { contrasts, longestText, scalingNames, scalings, type CompareParams } from '.'
import { CompareData, type Comparison, type ModelOption } from './data.svelte'
import { anchorsOf, cellAt, wide, type Cell, type CompareLayout } from './layout'
import {
  across,
  largest,
  mostDifferent,
  mostListed,
  nearest,
  patternOf,
  patternsOf,
  widest,
  type AttentionMap,
  type Likeness,
} from './maps'
import { t } from './messages.en'
import { commandOf, tablesOf } from './tables'
import { cellsOf, drawComparison, place, weightAt, type ComparePicture } from './picture'
import type { MapCell } from '../../charts/attention-map/model'

export { t as messages }

export function data(inputs: Inputs<CompareParams>) {
  const sides = new CompareData(inputs)
  // Depends on the comparison alone: a moving cursor recomputes none of it.
  const published = newest(() => {
    const { comparison } = sides
    const picture = sides.picture(inputs.scheme)
    if (!comparison || !picture) return undefined
    const differences = picture.maps[2].values
    return {
      headline: headlineOf(comparison, picture.likeness, differences),
      tables: tablesOf(comparison, differences),
      command: commandOf(comparison),
    }
  })
  return { sides, published }
}

type Data = ReturnType<typeof data>

export function figure(inputs: Inputs<CompareParams>, { sides }: Data, crosshair: boolean) {
  const maps = sides.picture(inputs.scheme)
  if (!maps) return undefined
  // All maps, below each other where there is no width for a row.
  const { cursor, pointer, width } = inputs
  const height = width < wide ? 1.1 * width : inputs.height
  const room = { cursor, pointer, width, height, only: undefined }
  const { picture, layout } = place(maps, room, crosshair)
  return drawComparison(picture, layout)
}

export function output(inputs: Inputs<CompareParams>, { sides, published }: Data): Output<CompareParams> {
  const maps = sides.picture(inputs.scheme)
  const controls = controlsOf(inputs, sides)
  if (!maps || !sides.comparison) return Output.ofNoRun({ above: controls, failure: sides.failure })
  const { cursor, pointer, width, height, phone, params } = inputs
  const only = phone ? panes[params.show] : undefined
  const { picture, layout } = place(maps, { cursor, pointer, width, height, only })
  return Output.of(sides.comparison, {
    above: [...controls, ...(phone ? [[switchOf(picture)]] : [])],
    scene: withDifferences(drawComparison(picture, layout), layout, picture),
    help: picture.alignment.compared === 'none' ? t().helpWithoutDifference : undefined,
    source: t().sourceOf(isLinear(sides.comparison)),
    label: t().label(...picture.names, picture.alignment.compared !== 'none'),
    anchors: anchorsOf(layout),
    stale: sides.stale,
    failure: sides.failure,
    published: published.value,
    explains: inputs.run && siteOfCell('attentions.N', inputs.cursor, inputs.run),
    hit: (x, y) => {
      const cell = differenceAt(x, y, layout, picture)
      return cell ? { cursor: cell } : cursorAt(picture, cellAt(x, y, layout))
    },
    onAction: (action) => cellAfter(picture, action),
  })
}

const isLinear = ({ a, b }: Comparison) => [a, b].some(({ subject }) => attentionOf(subject) !== 'softmax')

/** The choice of B. Its text, model and scaling stay when another kind is selected. */
function controlsOf({ run, params }: Inputs<CompareParams>, sides: CompareData): PanelRow<CompareParams>[] {
  const kinds: PanelItem<CompareParams> = {
    kind: 'select',
    label: t().with,
    options: contrasts.map((kind) => ({ value: kind, text: t().choices[kind], disabled: !sides.kinds.includes(kind) })),
    value: sides.kind,
    to: (value) => ({ params: { with: contrasts.find((kind) => kind === value) ?? sides.kind } }),
  }
  const isLoading = sides.failure === undefined && !sides.current
  return [
    [
      kinds,
      ...fieldsOf(sides, params, run?.model.info),
      isLoading && { kind: 'text', role: 'status', text: t().loading },
    ],
    ...sides.notes.map((text): PanelRow<CompareParams> => [{ kind: 'text', text }]),
  ]
}

function fieldsOf(
  { kind, other, suggestion, model, models }: CompareData,
  { text, scaling }: CompareParams,
  info: ModelInfo | undefined,
): PanelRow<CompareParams> {
  const place = (name: keyof HeadPlace, label: string, count = 1): PanelItem<CompareParams> => ({
    kind: 'number',
    label,
    value: other[name],
    min: 0,
    max: count - 1,
    to: (value) =>
      info && Number.isInteger(value) ? { choice: { other: clampHead({ ...other, [name]: value }, info) } } : undefined,
  })
  switch (kind) {
    case 'head':
      return [
        place('layer', t().otherLayer, info?.num_hidden_layers),
        place('head', t().otherHead, info?.num_attention_heads),
      ]
    case 'text':
      return [
        {
          kind: 'textField',
          label: t().text,
          value: text,
          placeholder: suggestion,
          longest: longestText,
          to: (text) => ({ params: { text } }),
        },
      ]
    case 'model':
      return [
        model && {
          kind: 'select',
          label: t().model,
          options: models.map((option) => ({ value: option.id, text: modelName(option) })),
          value: model.id,
          to: (model) => ({ params: { model } }),
        },
      ]
    case 'scaling':
      return [
        {
          kind: 'select',
          label: t().scaling,
          options: scalingNames.map((name) => ({
            value: name,
            text: t().preset(name.replace(/\d+$/, ''), scalings[name]),
          })),
          value: scaling,
          to: (value) => ({ params: { scaling: scalingNames.find((name) => name === value) ?? scaling } }),
        },
      ]
    case 'change':
      return []
  }
}

function modelName({ name, weights, isOwn }: ModelOption): string {
  if (weights) return t().weightsOf(name, weights)
  return isOwn ? t().ownModel(name) : name
}

/** Paper has the maps alone. */
const withDifferences = (scene: Scene, layout: CompareLayout, picture: ComparePicture): Scene => ({
  ...scene,
  marks: [...scene.marks, ...drawDifferences(layout, picture)],
})

/** The maps in the order of the picture. */
const panes = { a: 0, b: 1, difference: 2 } as const

/** On a phone: which map is on show. */
function switchOf({ alignment }: ComparePicture): PanelItem<CompareParams> {
  const texts = { a: t().a, b: t().b, difference: t().difference }
  const options = (['a', 'b', 'difference'] as const)
    .filter((value) => value !== 'difference' || alignment.compared !== 'none')
    .map((value) => ({ value, text: texts[value] }))
  return { kind: 'segmented', param: 'show', label: t().show, options }
}

/** The cell of A that a cell of any map selects. */
function cursorAt({ alignment }: ComparePicture, cell: Cell | undefined): Target | undefined {
  if (!cell) return undefined
  const { query, key } = cell.which === 1 ? across(cell, alignment.toA) : cell
  return { cursor: { ...(query === null ? {} : { query }), ...(key === null ? {} : { key }) } }
}

function cellAfter({ spots, alignment, maps, tokens }: ComparePicture, action: Action): Target | undefined {
  const { length } = maps[0]
  const { first, ...extent } = cellsOf(maps[0])
  const from = nearest(spots[0], spots[1], alignment.toA, length)
  const cell = walkCell({ query: from.query - first, key: from.key }, action, extent)
  if (!cell) return undefined
  const to = { query: first + cell.query, key: cell.key }
  const [a, b, difference] = [
    weightAt(maps[0], to),
    weightAt(maps[1], across(to, alignment.toB)),
    weightAt(maps[2], to),
  ]
  const token = (position: number) => tokens[0][position] ?? ''
  return { cursor: to, say: t().cell(token(to.query), to.query, token(to.key), to.key, a ?? 0, b, difference) }
}

/** Smaller differences of weights are rounding. */
const rounding = 1e-4

/** Two maps and what differs between them. */
export interface HeadlineSubject extends Pick<Comparison, 'alignment' | 'contrast'> {
  a: { head: AttentionMap }
  b: { head: AttentionMap }
}

/** @param differences of the two maps */
export function headlineOf(
  { a, b, alignment, contrast }: HeadlineSubject,
  likeness: Likeness,
  differences: Float32Array,
): Headline {
  const { headline } = t()
  const [inA, inB] = [patternsOf(a.head), patternsOf(b.head)]
  const [ofA, ofB] = [patternOf(inA), patternOf(inB)]
  // The common pattern, else the one that differs most.
  const pattern = ofA && ofA === ofB ? ofA : widest(inA, inB)
  return { title: title(), line: [...line(), ...comparisonNotes()].join(' ') }

  function title(): string {
    switch (contrast.by) {
      case 'change':
        return ofChange(contrast.head, contrast.change)
      case 'text':
        return ofTexts(contrast.head)
      case 'head':
        return ofHeads({ a: contrast.head, b: contrast.other })
      case 'model':
        return ofHeads({
          a: t().headOf(contrast.head, contrast.model),
          b: t().headOf(contrast.other, contrast.otherModel),
        })
    }
  }

  function ofHeads(heads: { a: string; b: string }): string {
    if (ofA && ofB) return headline.patterns(heads, ofA, ofB)
    if (ofA) return headline.pattern(heads.a, heads.b, ofA)
    if (ofB) return headline.pattern(heads.b, heads.a, ofB)
    const { elsewhere, byDistance } = likeness
    return elsewhere === undefined ? headline.distances(heads, byDistance) : headline.spread(heads, elsewhere)
  }

  function ofTexts(head: string): string {
    if (ofA && ofA === ofB) return headline.bothTexts(head, ofA)
    if (ofA || ofB) return headline.texts(head, ofA, ofB)
    return headline.textsSpread(head, likeness.byDistance, alignment.sameSource)
  }

  function ofChange(head: string, change: string): string {
    const most = largest(differences)
    if (most <= rounding) return headline.rests(head, change, most)
    if (ofA && ofA === ofB) return headline.keeps(head, change, ofA)
    if (ofA && ofB) return headline.turns(head, change, ofA, ofB)
    return ofA ? headline.loses(head, change, ofA) : headline.moves(head, change, likeness.elsewhere ?? 0)
  }

  function line(): string[] {
    if (!pattern) return []
    const names = {
      head: { a: t().head(contrast.head), b: 'other' in contrast ? t().head(contrast.other) : '' },
      change: { a: headline.baseline, b: headline.changed },
      text: { a: t().a, b: t().b },
      model: { a: t().a, b: t().b },
    }[contrast.by]
    return [headline.line(names, pattern, inA[pattern] ?? 0, inB[pattern] ?? 0, likeness.elsewhere, likeness.r)]
  }

  /** Names the compared tokens where texts or tokenizers differ. */
  function comparisonNotes(): string[] {
    const { compared, shared } = alignment
    const byDistance = likeness.byDistance === undefined ? [] : [headline.byDistance(likeness.byDistance)]
    if (contrast.by === 'model') return [headline.modelsCompared(shared), ...byDistance]
    if (contrast.by !== 'text') return []
    return [headline.textsCompared[compared](shared, Math.max(a.head.length, b.head.length)), ...byDistance]
  }
}

/** The height of a row, and how many are worth a title. */
const pitch = 19
const least = 2
const longestBar = 360
/** Px from the top of the reading to the first row: the selected cell's numbers and the title are between. */
const listTop = 78

/** The cells that are listed, and the top of the first. */
function differenceList(
  { reading, height }: CompareLayout,
  { maps, alignment }: ComparePicture,
): { cells: readonly MapCell[]; top: number } {
  const top = reading.y + listTop
  const rows = Math.min(mostListed, Math.floor((height - top) / pitch))
  const hasRoom = reading.column !== undefined && alignment.compared !== 'none' && rows >= least
  return { cells: hasRoom ? mostDifferent(maps[2].values, maps[2].length).slice(0, rows) : [], top }
}

export function drawDifferences(layout: CompareLayout, picture: ComparePicture): Mark[] {
  const { cells, top } = differenceList(layout, picture)
  const { x, column = 0 } = layout.reading
  const { maps, tokens, alignment } = picture
  if (cells.length === 0) return []
  const number = { kind: 'text', face: 'mono', size: 12, tone: 'ink' } as const
  const name = (position: number) => t().token(tokens[0][position] ?? '', position)
  return [
    { kind: 'text', x, y: top - 12, text: t().mostDifferent, tone: 'ink', face: 'serif', bold: true, size: 13 },
    ...cells.flatMap((cell, row): Mark[] => {
      const y = top + (row + 0.5) * pitch + 4
      const [a, b] = [weightAt(maps[0], cell), weightAt(maps[1], across(cell, alignment.toB))]
      const difference = weightAt(maps[2], cell) ?? 0
      const tone = difference < 0 ? 'negative' : 'positive'
      const room = column - 14
      return [
        { ...number, x, y, text: t().weight(a ?? 0) },
        { ...number, x: x + 48, y, text: `${name(cell.query)} → ${name(cell.key)}`, tone: 'quiet', room: room - 48 },
        { ...number, x: x + column, y, text: t().weight(b ?? 0) },
        { ...number, x: x + 2 * column, y, text: t().signed(difference), bold: true, tone },
        {
          kind: 'rect',
          x: x + 2 * column + 56,
          y: y - 8,
          // Weights of linear attention have no bound.
          width: Math.min(1, Math.abs(difference)) * Math.min(room - 56, longestBar),
          height: 8,
          fill: tone,
        },
      ]
    }),
  ]
}

/** The listed cell at a place of the picture. */
export function differenceAt(
  x: number,
  y: number,
  layout: CompareLayout,
  picture: ComparePicture,
): MapCell | undefined {
  const { cells, top } = differenceList(layout, picture)
  return x >= layout.reading.x && y >= top ? cells[Math.floor((y - top) / pitch)] : undefined
}
