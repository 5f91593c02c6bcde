import { expect, it } from 'vitest'
import { scaleLinear } from 'd3-scale'
import { chart, roundTicks } from './chart'
import { widthOf } from './labels'

it('no tick touches the last one, which is moved into the box', () => {
  const across = { from: 1, to: 10_000, name: 'tokens', log: true, ticks: [1, 10, 100, 1000, 10_000] }
  for (let width = 120; width < 400; width += 5) {
    const { marks } = chart({ x: 0, y: 0, width, height: 160 }, across, { from: 0, to: 1, name: 'length' }, [])
    const ticks = marks.flatMap((mark) => (mark.kind === 'text' && mark.anchor === 'middle' ? [mark] : []))
    ticks.slice(1).forEach((tick, index) => {
      const before = ticks[index] ?? tick
      expect(tick.x - before.x, `at ${width} px`).toBeGreaterThan(
        (widthOf(tick.text, 10.5) + widthOf(before.text, 10.5)) / 2,
      )
    })
  }
})

it('an axis has two numbers that are apart, whatever its range and however low it is', () => {
  for (const low of [-4.9, -1.2, -0.3, 0]) {
    for (let high = 0.1; high < 40; high *= 1.07) {
      for (const count of [2, 3, 5]) {
        const ticks = roundTicks(scaleLinear([low, high], [40, 0]), count)
        expect(ticks.length, `${low} … ${high}`).toBeGreaterThanOrEqual(2)
        const [first = 0, second = 0] = ticks
        if (count === 2) expect((second - first) / (high - low), `${low} … ${high}`).toBeGreaterThan(0.18)
      }
    }
  }
})
