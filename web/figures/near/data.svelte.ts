// Curves over all distances, of the ruler's rope and others, and the smallest bases: what the engine is asked, and its answers.
import type { DistanceCurves } from '../../engine/protocol/mathematics'
import { resource } from '../../session/resource.svelte'
import { equalRow, Ruler, RulerTheta, type RulerRows } from '../../session/ruler.svelte'
import type { Run } from '../../session/runs.svelte'
import type { Inputs } from '../../views/module'
import type { NearParams } from '.'
import { t } from './messages.en'

type Curve = 'bound' | 'cosines' | 'score'

interface Rope {
  headSize: number
  base: number
}

/** The paper's figure 2, and the base of newer models. */
const others: readonly Rope[] = [
  { headSize: 128, base: 10_000 },
  { headSize: 128, base: 500_000 },
]

export const reaches = [64, 128, 256, 512, 1024, 2048, 4096, 8192] as const

/** Contexts whose smallest base is computed. */
export const contexts = [256, 512, 1024, 2048, 4096, 8192] as const

/** A rope's label; undefined: a head's own θ. */
export const nameOf = (rope: Rope | undefined): string => (rope ? t().rope(rope.headSize, rope.base) : t().ofModel)

export type NearData = ReturnType<typeof nearData>

export function nearData(inputs: Inputs<NearParams>) {
  const { bench } = inputs
  const ruler = new Ruler(bench)
  const theta = new RulerTheta(bench, ruler)
  /** The distance below the pointer, or the one that keys moved to. */
  let marked = $state(1)
  const isRandom = () => bench.choice.vectors === 'random' && inputs.params.curve === 'score'
  const random = resource(bench.engine, 'randomNumbers', () =>
    isRandom() ? { params: { count: 2 * ruler.headSize, seed: inputs.params.seed } } : undefined,
  )
  const rows = $derived(ruler.ownRows ?? (isRandom() ? halves(random.current) : equalRows(ruler.headSize)))
  const curves = resource(bench.engine, 'distanceCurves', () => {
    const { curve, alike, aligned } = inputs.params
    if (curve === 'base' || curve === 'arrow' || !rows) return undefined
    const { headSize, base, head, ownTheta, m, n } = ruler
    const own = ownTheta ? { theta: ownTheta.slice() } : { headSize, base }
    return {
      params: {
        // Bounds and sums hold whatever q and k are.
        ropes: curve === 'score' ? [own] : [own, ...others],
        maxDistance: bench.choice.maxDistance,
        query: rows.query,
        key: rows.key,
        // Rows that are rotated already are as they were at their distance.
        aligned: rows.rotated ? m - n : curve === 'score' ? aligned : 0,
        alike,
      },
      run: head,
      own: m - n,
      curve,
      rope: head ? undefined : { headSize, base },
      subject: `${headSize}-${base}`,
    }
  })
  const bases = resource(bench.engine, 'smallestBases', () =>
    inputs.params.curve === 'base' ? { params: { headSize: ruler.headSize, contexts } } : undefined,
  )
  return {
    ruler,
    theta,
    curves,
    bases,
    /** Why there are no curves. */
    get failure() {
      return random.failure ?? curves.failure
    },
    get marked() {
      return marked
    },
    set marked(distance: number) {
      marked = distance
    },
  }
}

const equalRows = (size: number): RulerRows => ({ query: equalRow(size), key: equalRow(size), rotated: false })

/** The first half of the random numbers is the query. */
function halves(numbers: Float64Array | undefined): RulerRows | undefined {
  const size = (numbers?.length ?? 0) / 2
  return (
    numbers && {
      query: Float32Array.from(numbers.subarray(0, size)),
      key: Float32Array.from(numbers.subarray(size)),
      rotated: false,
    }
  )
}

/** The curves on show, the ruler's rope first. */
export interface Curves {
  curves: readonly DistanceCurves[]
  curve: Curve
  labels: readonly string[]
  /** The largest distance. */
  last: number
  /** The distance whose values are read. */
  marked: number
  maxDistance: number
  alike: boolean
  run: Run | undefined
  /** The distance at which query and key are. */
  own: number
  /** Undefined for a head's own. */
  rope: Rope | undefined
  /** The subject in the names of files. */
  subject: string
}

export function curvesOf(
  { params }: Inputs<NearParams>,
  { curves, failure, marked }: Pick<NearData, 'curves' | 'failure' | 'marked'>,
): Curves | undefined {
  const { latest } = curves
  if (params.curve === 'base' || params.curve === 'arrow' || !latest || failure) return undefined
  const { curve, rope, run, own, subject } = latest.request
  const last = Math.max(1, (latest.value[0]?.bound.length ?? 2) - 1)
  return {
    curves: latest.value,
    curve,
    labels: [rope, ...others].map(nameOf),
    last,
    marked: Math.min(marked, last),
    maxDistance: latest.request.params.maxDistance,
    alike: latest.request.params.alike,
    run,
    own,
    rope,
    subject,
  }
}

/** The ruler's rope among the smallest bases. */
export interface OwnBase {
  context: number
  base: number
  rope: Rope | undefined
}

export const ownBase = ({ context, base, headSize, head }: Ruler): OwnBase => ({
  context,
  base,
  rope: head ? undefined : { headSize, base },
})

/** Significant bits of a number in each format. */
const bits = { f16: 11, bf16: 8, f32: 24 } as const

/** Pairs that turn by less from one token to the next than one rounding of a table of cosines in each format. */
export function tooFine(theta: Float64Array): Record<keyof typeof bits, number> {
  const count = (format: keyof typeof bits) => theta.filter((speed) => speed > 0 && speed < 2 ** -bits[format]).length
  return { f16: count('f16'), bf16: count('bf16'), f32: count('f32') }
}
