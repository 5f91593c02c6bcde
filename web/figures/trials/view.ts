// Three ways to rotate, and attention by length: both are timed on this machine once the reader starts it.
import { attentionKinds, rotationKinds, type TrialKind } from '../../engine/protocol/protocol'
import type { Inputs } from '../../views/module'
import { rotationCommand } from '../../views/command'
import { Output, type PanelRow } from '../../views/output'
import { type RotationParams, sizes } from '.'
import { longestPair, longestStep, Trials, backends, type Point } from './measure.svelte'
import { t } from './messages.en'
import { scaleLog } from 'd3-scale'
import type { Mark, Scene, Size, Box } from '../../charts/marks'
import { compact, integer } from '../../i18n/numbers'
import { namedTable, type NamedTable } from '../../ui/table'

const leastHeight = 220
const roomOf = ({ width, height }: Size) => ({
  width,
  height: Math.max(leastHeight, height - 8),
})

export const rotationsModule = {
  messages: () => t().rotations,
  data: ({ bench }: Inputs) =>
    new Trials(bench.engine, { kinds: rotationKinds, headSizes: sizes.map(Number), lengths: [64, 256, 1024, 4096] }),
  output(inputs: Inputs<RotationParams>, trials: Trials): Output<RotationParams> {
    const { points, missing } = trials
    const { bytes, headline, size } = t().rotations
    const ofSize = points.filter(({ headSize }) => headSize === Number(inputs.params.size))
    const deviation = Math.max(0, ...points.map(({ deviation }) => deviation))
    return Output.ofNoRun({
      scene: drawPanels(panelsOf({ points: ofSize, missing }, rotationKinds, bytes), t().axis, roomOf(inputs)),
      above: [
        ...rowsAbove(trials),
        [{ kind: 'select', param: 'size', label: size, options: sizes.map((value) => ({ value, text: value })) }],
      ],
      published: {
        headline: points.length > 0 ? headline(deviation, points.length) : undefined,
        tables: [tableOf(points, bytes)],
        command: rotationCommand,
        subject: 'rotations',
      },
    })
  },
}

export const lengthsModule = {
  messages: () => t().lengths,
  data: ({ bench }: Inputs) =>
    new Trials(bench.engine, {
      kinds: attentionKinds,
      headSizes: [64],
      lengths: Array.from({ length: 9 }, (_, at) => 64 * 2 ** at),
    }),
  output(inputs: Inputs, trials: Trials) {
    const { points, missing } = trials
    const { bytes, headline } = t().lengths
    const pair = longestPair(points)
    return Output.ofNoRun({
      scene: drawPanels(panelsOf({ points, missing }, attentionKinds, bytes), t().axis, roomOf(inputs)),
      above: rowsAbove(trials),
      published: {
        headline: pair && headline(pair),
        tables: [tableOf(points, bytes)],
        subject: 'lengths',
      },
    })
  },
}

/** Starts and stops the measuring, says what is measured, and what is not. */
function rowsAbove<P>(trials: Trials): PanelRow<P>[] {
  const { step, points, missing, endedLines } = trials
  const { backends, kinds } = t()
  const lines = [
    ...missing.map((backend) => t().missing(backends[backend])),
    ...endedLines.map(({ backend, what, length, failure }) =>
      t().ended(backends[backend], kinds[what], length, failure?.message, longestStep / 1000),
    ),
  ]
  return [
    [
      step
        ? { kind: 'button', label: t().stop, to: { act: () => trials.stop() } }
        : {
            kind: 'button',
            label: points.length > 0 ? t().again : t().measure,
            to: { act: () => trials.start() },
          },
      {
        kind: 'text',
        role: 'status',
        text: step ? t().now(backends[step.backend], kinds[step.what], step.length, step.headSize) : t().idle,
      },
    ],
    [lines.length > 0 && { kind: 'list', items: lines }],
  ]
}

/** Lines are ink and differ by weight and dash. */
type Stroke = 'strong' | 'plain' | 'dashed'

interface Line {
  label: string
  stroke: Stroke
  /** Length and value, ascending; both above 0. */
  points: readonly (readonly [number, number])[]
}

export interface Panel {
  title: string
  /** What the values are, with their unit. */
  name: string
  lines: readonly Line[]
  /** The text where there are no lines. */
  empty: string
}

/** Below this each panel has a row of its own. */
const sideBySide = 620
const gap = 28
const left = 46
const bottom = 34
/** px of a row of the legend, and of the title. */
const row = 15
const heading = 18
/** The least height of a plot without its legend. */
const leastPlot = 108

const looks = {
  strong: { weight: 2.4 },
  plain: { weight: 1.2 },
  dashed: { weight: 1.4, dash: '5 3' },
} as const satisfies Record<Stroke, object>

/** The slope of ln value over ln length by least squares, over the longer half of a line; undefined for fewer than two points. */
export function exponent({ points }: Pick<Line, 'points'>): number | undefined {
  const fitted = points.slice(-Math.max(2, Math.ceil(points.length / 2)))
  const mean = (of: (point: readonly [number, number]) => number) =>
    fitted.reduce((sum, point) => sum + of(point), 0) / fitted.length
  const [x, y] = [mean(([length]) => Math.log(length)), mean(([, value]) => Math.log(value))]
  const above = mean(([length, value]) => (Math.log(length) - x) * (Math.log(value) - y))
  const below = mean(([length]) => (Math.log(length) - x) ** 2)
  return below > 0 ? above / below : undefined
}

export function drawPanels(panels: readonly Panel[], axis: string, { width, height }: Size): Scene {
  const stacked = width < sideBySide
  const most = Math.max(...panels.map(({ lines }) => lines.length), 0)
  const head = heading + most * row + 18
  const each = stacked ? width : (width - gap * (panels.length - 1)) / panels.length
  const tall = stacked ? head + leastPlot + bottom : Math.max(height, head + leastPlot + bottom)
  const lengths = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(([length]) => length)))
  const marks = panels.flatMap((panel, at) => {
    const place = stacked ? { x: 0, y: at * (tall + gap) } : { x: at * (each + gap), y: 0 }
    return drawPanel(panel, axis, { ...place, width: each, height: tall, head, lengths })
  })
  return { width, height: stacked ? panels.length * (tall + gap) - gap : tall, marks }
}

interface PanelBox extends Box {
  /** px of title and legend. */
  head: number
  /** Of all panels, so that they share their axis. */
  lengths: readonly number[]
}

function drawPanel({ title, name, lines, empty }: Panel, axis: string, box: PanelBox): Mark[] {
  const { x: across, y: down, width, height, head, lengths } = box
  const text = { kind: 'text', face: 'sans', size: 11 } as const
  const titles: Mark[] = [
    { ...text, x: across, y: down + 12, text: title, bold: true, room: width },
    { ...text, x: across, y: down + head - 2, text: name, tone: 'quiet', room: width },
  ]
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value))
  if (values.length === 0 || lengths.length === 0) {
    const [top, tall] = [down + head + 10, height - bottom - head - 10]
    return [
      ...titles,
      { kind: 'rect', x: across, y: top, width: width - 8, height: tall, stroke: 'rule' },
      {
        ...text,
        x: across + (width - 8) / 2,
        y: top + tall / 2,
        text: empty,
        tone: 'quiet',
        anchor: 'middle',
        room: width - 24,
      },
    ]
  }
  const ends: [number, number] = [across + left, across + width - 8]
  const x = scaleLog([Math.min(...lengths), Math.max(...lengths, Math.min(...lengths) * 2)], ends)
  const [least, greatest] = [Math.min(...values), Math.max(...values)]
  const y = scaleLog([least, Math.max(greatest, least * 2)], [down + height - bottom, down + head + 10]).nice()
  const base = Math.max(...y.range())
  const powers = y.ticks().filter((tick) => Number.isInteger(Number(Math.log10(tick).toFixed(9))))
  const levels = powers.length > 1 ? powers : y.domain()
  const grid = levels.flatMap((tick): Mark[] => [
    { kind: 'line', x1: ends[0], x2: ends[1], y1: y(tick), y2: y(tick), stroke: 'rule', weight: 1 },
    { ...text, x: ends[0] - 5, y: y(tick) + 4, text: compact(tick, 2), tone: 'quiet', anchor: 'end' },
  ])
  const distinct = [...new Set(lengths)].sort((one, other) => one - other)
  const step = Math.max(1, Math.ceil((distinct.length * 44) / (ends[1] - ends[0])))
  const ticks = distinct
    .filter((_, at) => (distinct.length - 1 - at) % step === 0)
    .flatMap((tick): Mark[] => [
      { kind: 'line', x1: x(tick), x2: x(tick), y1: base, y2: base + 4, stroke: 'edge', weight: 1 },
      { ...text, x: x(tick), y: base + 16, text: integer(tick), tone: 'quiet', anchor: 'middle' },
    ])
  const axes: Mark[] = [
    { kind: 'line', x1: ends[0], x2: ends[1], y1: base, y2: base, stroke: 'edge', weight: 1 },
    { ...text, x: ends[1], y: base + 30, text: axis, tone: 'quiet', anchor: 'end' },
  ]
  const drawn = lines.flatMap(({ points, stroke }): Mark[] => {
    const places = points.map(([length, value]) => `${x(length).toFixed(1)} ${y(value).toFixed(1)}`)
    const dots = points.map(([length, value]): Mark => ({
      kind: 'circle',
      x: x(length),
      y: y(value),
      r: 2.2,
      fill: 'ink',
    }))
    return [{ kind: 'path', d: `M${places.join('L')}`, stroke: 'ink', ...looks[stroke] }, ...dots]
  })
  const legend = lines.flatMap((line, at): Mark[] => {
    const level = down + heading + (at + 0.5) * row
    const slope = exponent(line)
    return [
      { kind: 'line', x1: across, x2: across + 22, y1: level, y2: level, stroke: 'ink', ...looks[line.stroke] },
      {
        ...text,
        x: across + 28,
        y: level + 4,
        text: slope === undefined ? line.label : t().fitted(line.label, slope),
        room: width - 28,
      },
    ]
  })
  return [...titles, ...grid, ...ticks, ...axes, ...drawn, ...legend]
}

const strokes: readonly Stroke[] = ['strong', 'plain', 'dashed']

/** @param bytes what the bytes are of */
export function panelsOf(
  { points, missing }: Pick<Trials, 'points' | 'missing'>,
  kinds: readonly TrialKind[],
  bytes: string,
): Panel[] {
  const lines = (of: readonly Point[], value: (point: Point) => number): Line[] =>
    kinds.flatMap((kind, at) => {
      const line = of.filter(({ what }) => what === kind).map((point) => [point.length, value(point)] as const)
      return line.length === 0 ? [] : [{ label: t().kinds[kind], stroke: strokes[at] ?? 'plain', points: line }]
    })
  const time = (backend: Point['backend']): Panel => ({
    title: t().backends[backend],
    name: t().milliseconds,
    lines: lines(
      points.filter((point) => point.backend === backend),
      ({ milliseconds }) => milliseconds,
    ),
    empty: t().nothing,
  })
  // Both backends take about the same memory: the one with more points is drawn.
  const [gpu, cpu] = backends.map((one) => points.filter(({ backend }) => backend === one)) as [Point[], Point[]]
  const longer = gpu.length > cpu.length ? gpu : cpu
  const memory = { title: t().memory, name: bytes, lines: lines(longer, (point) => point.bytes), empty: t().nothing }
  return [...backends.filter((backend) => !missing.includes(backend)).map(time), memory]
}

function tableOf(points: readonly Point[], bytes: string): NamedTable {
  return namedTable(
    t().table,
    [...t().columns, bytes],
    points,
    ({ backend, what, length, headSize, milliseconds, bytes }) => [
      t().backends[backend],
      t().kinds[what],
      length,
      headSize,
      milliseconds,
      bytes,
    ],
  )
}
