// Beside the two arrows: how far each has turned, and their score. Below: the same at other positions, the curve over all distances, or
// which numbers are a pair.
import { chart } from '../../charts/chart'
import { widthOf } from '../../charts/labels'
import { arrowTo, type Mark, type Text } from '../../charts/marks'
import { decimal, signedDecimal } from '../../i18n/numbers'
import { t } from './messages.en'
import { angleOf, degrees, lengthOf, reach, steps, wrapAngle, type Arrows, type TurnPlan } from './picture'

/** The angle from the key to the query before they are turned. */
export const leadOf = ({ query, key }: Arrows): number => wrapAngle(angleOf(query.before) - angleOf(key.before))

const angleText = (radians: number) => t().degrees(degrees(radians))

/** The table of angles, and the score with its numbers. */
export function drawNumbers({ width, side }: TurnPlan, arrows: Arrows): Mark[] {
  const { m, n, theta, query, key, score } = arrows
  const room = width - side
  const isWide = room > 200
  const line = isWide ? 24 : 18
  const size = isWide ? 12 : 10.5
  let y = isWide ? 18 : 12
  const marks: Mark[] = []
  const text = (x: number, text: string, look: Partial<Text> = {}) =>
    marks.push({ kind: 'text', x, y, text, size, tone: 'ink', ...look })
  const right = { anchor: 'end', face: 'mono', bold: true } as const
  if (isWide) {
    text(side, t().howFar, { bold: true, face: 'serif', size: 15 })
    y += 26
  }
  const lead = leadOf(arrows)
  const rows = [
    ['query', t().names.query, m],
    ['key', t().names.key, n],
    ['ink', t().names.between, m - n],
  ] as const
  for (const [tone, name, position] of rows) {
    if (tone === 'ink')
      marks.push({
        kind: 'rect',
        x: side - 6,
        y: y - size - 4,
        width: room + 6,
        height: line - 1,
        fill: 'token',
        round: 3,
      })
    text(side, name, { tone, bold: true })
    if (isWide) text(side + room * 0.36, `${position} × ${angleText(theta)}`, { face: 'mono', tone: 'quiet' })
    text(width - 4, angleText(position * theta), { ...right, tone })
    y += line
  }
  text(side, t().lead, { tone: 'quiet', room: room - 56 })
  text(width - 4, t().signedDegrees(degrees(lead)), { ...right, bold: false })
  marks.push({ kind: 'line', x1: side, x2: width - 2, y1: y + 6, y2: y + 6, stroke: 'edge' })
  y += line
  text(side, t().angle, { bold: true, room: room - 52 })
  text(width - 4, angleText(Math.abs(wrapAngle((m - n) * theta + lead))), right)
  y += line * (isWide ? 1.7 : 1.25)
  if (isWide) {
    text(side, t().live, { bold: true, face: 'serif', size: 15 })
    y += 26
  }
  const [a, b] = [lengthOf(query.before), lengthOf(key.before)]
  const sum = `(${angleText((m - n) * theta)} ${signedAngle(lead)})`
  const serif = { face: 'serif', size: isWide ? 14 : 11 } as const
  text(side, isWide ? 'q · k = |q| |k| cos((m − n)θ + φ)' : '|q| |k| cos((m − n)θ + φ)', serif)
  y += line
  text(
    side,
    isWide ? `= ${decimal(a, 2)} · ${decimal(b, 2)} · cos${sum}` : `${decimal(a, 2)} · ${decimal(b, 2)} ·`,
    serif,
  )
  y += line
  if (!isWide) {
    text(side, `cos${sum}`, serif)
    y += line
  }
  text(side, `= ${signedDecimal(score, 2)}`, { face: 'mono', bold: true, size: isWide ? 20 : 15 })
  return marks
}

const signedAngle = (radians: number) => `${radians < 0 ? '−' : '+'} ${angleText(Math.abs(radians))}`

/** px from the query's position to the key's. */
const nameOfKey = 36

/** Positions beside each other: both moved on, and one of them alone. */
export function drawMoves({ lower, width }: TurnPlan, arrows: Arrows): Mark[] {
  const { m, n, theta, query, key, scoreAt } = arrows
  const cases = [
    [m, n],
    [m + 1, n + 1],
    [m + 6, n + 6],
    [m + 1, n],
  ] as const
  const columns = width < 560 ? 2 : 4
  const rows = cases.length / columns
  const column = width / columns
  const row = (lower.height - 24) / rows
  // Beside a circle stand both positions, and clear of the rule before the next one.
  const names = nameOfKey + Math.max(...cases.map(([, n]) => widthOf(`n ${n}`, 10.5, 'mono')))
  const r = Math.max(20, Math.min(row / 2 - 6, column * 0.28, (column - names - 30) / 2))
  const longest = Math.max(lengthOf(query.before), lengthOf(key.before), 1e-6)
  const marks: Mark[] = [
    {
      kind: 'text',
      x: 0,
      y: lower.y + 13,
      text: t().both,
      size: 13,
      face: 'serif',
      bold: true,
      tone: 'ink',
      room: column * (columns - 1),
    },
  ]
  cases.forEach(([m, n], index) => {
    const [x0, top] = [(index % columns) * column, lower.y + 20 + Math.floor(index / columns) * row]
    const at = { x: x0 + r + 4, y: top + r + 4 }
    const isOther = index === cases.length - 1
    if (isOther && columns === 4)
      marks.push(
        { kind: 'line', x1: x0 - 10, x2: x0 - 10, y1: lower.y, y2: lower.y + lower.height, stroke: 'rule' },
        {
          kind: 'text',
          x: x0,
          y: lower.y + 13,
          text: t().one,
          size: 13,
          face: 'serif',
          bold: true,
          tone: 'ink',
          room: column,
        },
      )
    const hand = (arrow: Arrows['query'], position: number) => ({
      length: (r * lengthOf(arrow.before)) / longest,
      angle: angleOf(arrow.before) + position * theta,
    })
    const [one, other] = [hand(query, m), hand(key, n)]
    const texts = x0 + 2 * r + 12
    marks.push(
      { kind: 'circle', ...at, r, stroke: 'rule', fill: 'card' },
      ...arrowTo(at, other.length, other.angle, 'key', 2.6),
      ...arrowTo(at, one.length, one.angle, 'query', 1.8),
      { kind: 'circle', ...at, r: 2, fill: 'ink' },
      { kind: 'text', x: texts, y: at.y - 14, text: `m ${m}`, size: 10.5, face: 'mono', bold: true, tone: 'query' },
      {
        kind: 'text',
        x: texts + nameOfKey,
        y: at.y - 14,
        text: `n ${n}`,
        size: 10.5,
        face: 'mono',
        bold: true,
        tone: 'key',
      },
      { kind: 'text', x: texts, y: at.y + 4, text: angleText((m - n) * theta), size: 11, face: 'mono', tone: 'ink' },
      {
        kind: 'text',
        x: texts,
        y: at.y + 23,
        text: signedDecimal(scoreAt(m - n), 2),
        size: 14,
        face: 'mono',
        bold: true,
        tone: 'ink',
      },
      ...(isOther && columns === 2
        ? [{ kind: 'text', x: texts, y: at.y + 38, text: t().oneAlone, size: 10.5, room: width - texts } as const]
        : []),
    )
  })
  return marks
}

/** The score of the same pair at every distance. */
export function drawCurve({ lower, width }: TurnPlan, { sweep, m, n, score }: Arrows): Mark[] {
  const box = { x: 0, y: lower.y, width, height: lower.height - 14 }
  // As one reads: a key behind on the left.
  const points = Array.from(sweep, (value, index) => [reach - index / steps, value] as const).sort(
    ([one], [other]) => one - other,
  )
  const most = Math.max(0.1, ...points.map(([, value]) => Math.abs(value)))
  const axis = { from: -reach, to: reach, name: '', format: (value: number) => String(Math.abs(value)) }
  const plan = chart(box, axis, { from: -most, to: most, name: t().score(score) }, [{ points, weight: 1.8 }])
  const place = n - m
  const at = Math.min(reach, Math.max(-reach, place))
  const name = { kind: 'text', y: plan.bottom + 29, size: 10.5, tone: 'key' } as const
  return [
    ...plan.marks,
    { kind: 'line', x1: plan.x(at), x2: plan.x(at), y1: plan.top, y2: plan.bottom, stroke: 'key', dash: '2 2' },
    ...(at === place ? [{ kind: 'circle', x: plan.x(at), y: plan.y(score), r: 4.5, fill: 'key' } as const] : []),
    { ...name, x: plan.left, text: t().behind },
    { ...name, x: plan.right, text: t().ahead, anchor: 'end' },
  ]
}

/** Eight numbers of a row, joined as they are turned. */
export function drawPairing({ width, lower }: TurnPlan, halves: boolean): Mark[] {
  const size = 8
  const cell = Math.min(64, width / size)
  const left = (width - size * cell) / 2
  const y = lower.y + 60
  const middle = (at: number) => left + (at + 0.5) * cell
  const marks: Mark[] = []
  for (let at = 0; at < size; at++)
    marks.push(
      {
        kind: 'rect',
        x: left + at * cell + 2,
        y: y - 1,
        width: cell - 4,
        height: 24,
        stroke: 'edge',
        fill: 'token',
        round: 3,
      },
      {
        kind: 'text',
        x: middle(at),
        y: y + 15,
        text: t().dimension(at),
        size: 10.5,
        anchor: 'middle',
        face: 'mono',
        tone: 'ink',
      },
    )
  for (let pair = 0; pair < size / 2; pair++) {
    const [one, other] = halves ? [pair, pair + size / 2] : [2 * pair, 2 * pair + 1]
    const up = halves ? 16 + 11 * pair : 22
    const d = `M${middle(one)} ${y - 2}C${middle(one)} ${y - 2 - up} ${middle(other)} ${y - 2 - up} ${middle(other)} ${y - 2}`
    marks.push({ kind: 'path', d, stroke: 'ink', weight: 1.4 })
  }
  const name = `${t().pairing} ${halves ? t().pairings.halves : t().pairings.neighbours}`
  if (widthOf(name, 11) < width) marks.push({ kind: 'text', x: left, y: y + 44, text: name, size: 11 })
  return marks
}
