// The long-term decay of the paper's figure 2: which curves are drawn, what its sliders offer, and what the curves do, in words.
import { score } from '../../elements/format'
import type { Curve, Stroke } from '../../elements/lineChart'
import { decadeStops, linearStops, octaveStops } from '../../elements/stops'
import type { DecayCurve } from '../../state/mathematics.svelte'
import { words } from '../../words/words'

export const headSizes = linearStops(2, 256, 2)
export const bases = decadeStops(2, 6.5, 20)
export const distances = octaveStops(32, 8192, 4)

const strokes: readonly Stroke[] = ['strong', 'dashed', 'plain', 'dotted']

/** A curve's name with what it depends on. */
export function title({ of, headSize, base }: DecayCurve): string {
  return words.decay.named(words.decay.curve[of], headSize, base)
}

export function drawn(curves: readonly DecayCurve[]): Curve[] {
  return curves.map((curve, index) => ({
    label: title(curve),
    start: 0,
    values: curve.bound,
    stroke: strokes[index % strokes.length] ?? 'plain',
  }))
}

/** Where a curve begins and ends and where it is lowest: it need not fall steadily. */
export function courseWords({ of, bound }: DecayCurve): string {
  const end = bound.length - 1
  if (end < 1) return ''
  let least = 0
  for (let distance = 0; distance <= end; distance++) {
    if ((bound[distance] ?? NaN) < (bound[least] ?? NaN)) least = distance
  }
  const at = (distance: number) => score(bound[distance] ?? NaN)
  return words.decay.course({
    label: words.decay.curve[of],
    first: at(0),
    last: at(end),
    end,
    lowest: least === end ? undefined : { at: least, value: at(least) },
  })
}
