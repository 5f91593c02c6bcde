// A queue named in three ways; below it the weight that a head of the loaded model gives one word from another.
import { readWords } from '../../i18n/edition.svelte'
import { headName, weight } from '../../i18n/numbers'
import { quoted, type Sentence } from '../../i18n/rich'
import type { Run } from '../../session/runs.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Inputs } from '../../views/module'
import { Output } from '../../views/output'
import type { Cursor } from '../../viewstate/choice'
import type { QueueParams } from '.'
import { t } from './messages.en'
import { linesOf } from '../../charts/figure'
import { widthOf } from '../../charts/labels'
import type { Mark, Scene, Size } from '../../charts/marks'

export { t as messages }

export const data = () => undefined

export function output({ run, cursor, params, width, height }: Inputs<QueueParams>): Output<QueueParams> {
  const { served } = params
  const weights = weightsOf(run, cursor, width)
  const people = t().people.slice(served)
  return Output.ofNoRun({
    scene: drawQueue(served, { width: Math.min(width, 1600), height: height - 40 }),
    label: people.map((who, at) => `${who}, ${namesOf(at + served, served).number}`).join('; '),
    below: [
      [
        { kind: 'button', label: t().served, disabled: served >= 3, to: { params: { served: served + 1 } } },
        { kind: 'button', label: t().again, disabled: served === 0, to: { params: { served: 0 } } },
        { kind: 'text', role: 'status', text: t().moved(served) },
      ],
      [run && weights && { kind: 'text', name: 'in-model', text: inModel(run, cursor) }],
      [weights ? { kind: 'picture', scene: weights } : run && { kind: 'text', text: [quoted(run.text)] }],
      [{ kind: 'text', name: 'weight', text: run ? sentenceOf(run, cursor) : readWords().page.noModel }],
    ],
    published: { tables: [tableOf(served)], subject: 'five' },
  })
}

const inModel = ({ reading }: Run, { query }: Cursor): Sentence =>
  t().inModel({ text: reading.display[query] ?? '', position: query })

function sentenceOf({ head, reading }: Run, { query, key }: Cursor): string {
  const token = (at: number) => reading.display[at] ?? ''
  const value = head.attention[query * head.length + key] ?? NaN
  return t().weight(headName(head), token(query), token(key), Math.abs(query - key), weight(value))
}

export const tableOf = (served: number): NamedTable =>
  namedTable(t().table, t().columns, t().people.slice(served), (person, at) => {
    const { number, neighbour } = namesOf(at + served, served)
    return [person, number, neighbour]
  })

const people = 5

/** What the person at this place is called: by number and by neighbour. */
export function namesOf(person: number, served: number): { number: string; neighbour: string } {
  const place = person - served
  const before = t().people[person - 1]
  return {
    number: t().numbered(place + 1),
    neighbour: place === 0 || before === undefined ? t().first : t().behind(before),
  }
}

export function drawQueue(served: number, { width, height }: Size): Scene {
  const left = 46
  const each = (width - left - 4) / people
  const body = Math.max(22, Math.min(140, each * 0.52, (height - 210) / 2.6))
  const ground = 30 + body * 2.6
  const marks: Mark[] = [
    {
      kind: 'rect',
      x: 2,
      y: ground - body * 1.1,
      width: 30,
      height: body * 1.1,
      fill: 'token',
      stroke: 'edge',
      round: 2,
    },
    { kind: 'text', x: 2, y: ground + 14, text: t().desk, size: 10.5 },
    { kind: 'line', x1: 0, x2: width, y1: ground, y2: ground, stroke: 'rule' },
  ]
  const row = 30
  for (const [index, title] of [t().content, t().absolute, t().relative].entries()) {
    const y = ground + 34 + index * (row + 16)
    marks.push({ kind: 'text', x: 0, y, text: title, size: 11, tone: 'ink', bold: true })
    for (let person = served; person < people; person++) {
      const { number, neighbour } = namesOf(person, served)
      const text = [t().people[person] ?? '', number, neighbour][index] ?? ''
      const x = left + (person - served + 0.5) * each
      linesOf(text, each, 10.5).forEach((line, index) => {
        const below = y + 15 + 12 * index
        marks.push({ kind: 'text', x, y: below, text: line, size: 10.5, anchor: 'middle', tone: 'ink' })
      })
    }
  }
  for (let person = served; person < people; person++) {
    marks.push(...figure(left + (person - served + 0.5) * each, ground, body, person))
  }
  return { width, height: ground + 34 + 3 * (row + 16), marks }
}

/** Each looks as its name says: a hat, a suitcase, a coat, an umbrella, a dog. */
function figure(x: number, ground: number, body: number, person: number): Mark[] {
  const head = ground - body * 2
  const coat = `M${x - body * 0.32} ${ground}L${x - body * 0.2} ${head + body * 0.32}H${x + body * 0.2}L${x + body * 0.32} ${ground}Z`
  const marks: Mark[] = [
    { kind: 'path', d: coat, fill: person === 2 ? 'red' : 'token', stroke: 'ink', weight: 1.3 },
    { kind: 'circle', x, y: head, r: body * 0.24, fill: 'card', stroke: 'ink', weight: 1.3 },
  ]
  const right = x + body * 0.34
  switch (person) {
    case 0:
      marks.push({
        kind: 'rect',
        x: x - body * 0.2,
        y: head - body * 0.45,
        width: body * 0.4,
        height: body * 0.26,
        fill: 'quiet',
      })
      marks.push({
        kind: 'line',
        x1: x - body * 0.36,
        x2: x + body * 0.36,
        y1: head - body * 0.2,
        y2: head - body * 0.2,
        weight: 2,
      })
      break
    case 1:
      marks.push({
        kind: 'rect',
        x: right,
        y: ground - body * 0.5,
        width: body * 0.42,
        height: body * 0.46,
        fill: 'quiet',
        stroke: 'ink',
        round: 2,
      })
      break
    case 3: {
      const top = head - body * 0.3
      marks.push({ kind: 'line', x1: right, x2: right, y1: top, y2: ground - body * 0.5, weight: 1.3 })
      marks.push({
        kind: 'path',
        d: `M${x - body * 0.3} ${top}A${body * 0.64} ${body * 0.5} 0 0 1 ${x + body * 0.98} ${top}Z`,
        fill: 'quiet',
        stroke: 'ink',
        weight: 1.3,
      })
      break
    }
    case 4:
      marks.push({
        kind: 'rect',
        x: right,
        y: ground - body * 0.34,
        width: body * 0.46,
        height: body * 0.2,
        fill: 'quiet',
        round: 3,
      })
      marks.push({ kind: 'circle', x: right + body * 0.5, y: ground - body * 0.38, r: body * 0.12, fill: 'quiet' })
      marks.push({
        kind: 'line',
        x1: right + 3,
        x2: right + 3,
        y1: ground - body * 0.16,
        y2: ground,
        weight: 2,
        stroke: 'quiet',
      })
      marks.push({
        kind: 'line',
        x1: right + body * 0.42,
        x2: right + body * 0.42,
        y1: ground - body * 0.16,
        y2: ground,
        weight: 2,
        stroke: 'quiet',
      })
      break
  }
  return marks
}

/** The weights that one query gives each token of its text. */
interface WeightBars {
  tokens: readonly string[]
  weights: ArrayLike<number>
  query: number
  key: number
}

/** Bars over the tokens, line by line. */
export function drawWeights({ tokens, weights, query, key }: WeightBars, width: number): Scene {
  const line = 54
  const high = 28
  let [x, y] = [0, 0]
  const marks = tokens.flatMap((token, at): Mark[] => {
    const room = widthOf(token, 12, 'mono') + 14
    if (x + room > width && x > 0) [x, y] = [0, y + line]
    const bar = Math.max(0, Math.min(1, weights[at] ?? 0)) * high
    const tone = at === query ? 'query' : at === key ? 'key' : 'ink'
    const left = x
    x += room
    return [
      { kind: 'rect', x: left, y: y + high - bar, width: room - 8, height: bar, fill: 'bar' },
      { kind: 'text', x: left, y: y + high + 14, text: token, size: 12, face: 'mono', tone, bold: tone !== 'ink' },
    ]
  })
  return { width, height: y + line, marks }
}

/** Texts of more tokens have no bars. */
const mostBars = 40

/** The bars of the query at the cursor, in the result on show. */
function weightsOf(run: Run | undefined, { query, key }: Cursor, width: number): Scene | undefined {
  if (!run || run.head.length > mostBars) return undefined
  const { attention, length } = run.head
  const weights = attention.subarray(query * length, (query + 1) * length)
  return drawWeights({ tokens: run.reading.display, weights, query, key }, width)
}
