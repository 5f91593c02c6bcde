import { expect, test } from 'vitest'
import { columns } from '../../charts/labels'
import { ramp } from '../../charts/colour'
import { drawFigure } from './view'
import { headMap } from '../../charts/attention-map/model'
import { signedScale, weightScale } from '../../charts/attention-map/paint'

const palette = ramp(['#ffffff', '#000000'])
const names = Array.from({ length: 12 }, (_, at) => `t${at}`)
const values = new Float32Array(144).fill(0.1)
const [width, height] = [400, 300]
const draw = (scale: Parameters<typeof drawFigure>[0]['scale'], source?: number) =>
  drawFigure({
    map: headMap({ values, names, causal: false, source }),
    scale,
    palette,
    selected: null,
    width,
    height,
  }).marks
const barOf = (marks: ReturnType<typeof draw>) => marks.find((mark) => mark.kind === 'raster' && mark.columns === 1)
const labelsOf = (marks: ReturnType<typeof draw>) => {
  const bar = barOf(marks)
  const right = bar?.kind === 'raster' ? bar.x + bar.width : 0
  return marks.flatMap((mark) => (mark.kind === 'text' && mark.x > right ? [mark] : []))
}

test('the bar says where colours end before the numbers do, within the figure', () => {
  expect(labelsOf(draw(signedScale(0.08))).map(({ text }) => text)).toEqual(['−0.08', '−0.04', '0', '0.04', '0.08'])
  const clipped = labelsOf(draw(signedScale(0.08, true)))
  expect(clipped.map(({ text }) => text)).toEqual(['≤ −0.08', '−0.04', '0', '0.04', '≥ 0.08'])
  for (const { x, text } of clipped) expect(x + columns(text) * 6.3).toBeLessThanOrEqual(width)
})

test('beside a map of one row the bar is as high as its labels need', () => {
  const marks = draw(weightScale('root'), 11)
  const at = labelsOf(marks).map(({ y }) => y)
  const gaps = at.slice(1).map((y, index) => (at[index] ?? 0) - y)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(11)
})
