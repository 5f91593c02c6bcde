// Numbers that the visitor puts in place of others: where one can be put, and which interventions put it.
import type { Explanation } from '../../engine/protocol/explanation'
import {
  readNumber,
  writeNumber,
  type NumberIntervention,
  type NumberPut,
} from '../../engine/protocol/numberIntervention'
import { placeOf } from '../../engine/protocol/place'
import { numberTensors, tensors } from '../../engine/protocol/siteNames'
import type { Choice } from '../../viewstate/choice'
import { leavesOf } from './markdown'

/** Where an intervention puts a number. */
type NumberPlace = Omit<NumberPut, 'value'>

/** What puts numbers in tensors. */
type Puts = Pick<Choice, 'numbers' | 'neuronsOff'>

/** Undefined where no number can be put: only the tensors of the decoder that `numberTensors` lists take any. */
export function numberPlace(site: string): NumberPlace | undefined {
  const place = placeOf(site)
  const tensor = numberTensors.find((tensor) => tensor === place?.tensor)
  if (!place || !tensor || (place.part !== undefined && place.part !== 'decoder')) return undefined
  const index: Readonly<Partial<Record<string, number>>> = place.index
  return { tensor, layer: place.layer ?? null, index: tensors[tensor].map((axis) => index[axis] ?? 0) }
}

/** Whether an intervention puts its number here, too. */
function covers(put: NumberPut | undefined, { tensor, layer, index }: NumberPlace): boolean {
  if (put?.tensor !== tensor || (put.layer !== '*' && put.layer !== layer)) return false
  return put.index.every((entry, at) => entry === '*' || entry === index[at])
}

const switchesOff = ({ neuronsOff }: Puts, { tensor, layer, index }: NumberPlace) =>
  tensor === 'ffn.N' && neuronsOff.some((off) => off.layer === layer && (off.neuron ?? index[1]) === index[1])

/** The number that is put here, as the engine chooses among several: the last one, and else 0 of a neuron that is off. */
export function numberPut(puts: Puts, place: NumberPlace): number | undefined {
  const last = puts.numbers.map(readNumber).findLast((put) => covers(put, place))
  return last?.value ?? (switchesOff(puts, place) ? 0 : undefined)
}

/** The interventions with this number here; undefined where no run can have it. */
export function withNumber(
  { numbers }: Pick<Puts, 'numbers'>,
  place: NumberPlace,
  value: number,
): NumberIntervention[] | undefined {
  const written = writeNumber({ ...place, value })
  const isHere = (text: NumberIntervention) => text.startsWith(written.slice(0, written.indexOf('=') + 1))
  return readNumber(written) && [...numbers.filter((text) => !isHere(text)), written]
}

/** The interventions without those that put a number here. */
export function withoutNumber(puts: Puts, place: NumberPlace): Partial<Puts> {
  const [, neuron] = place.index
  const neuronsOff = puts.neuronsOff.filter((off) => off.layer !== place.layer || (off.neuron ?? neuron) !== neuron)
  return {
    numbers: puts.numbers.filter((text) => !covers(readNumber(text), place)),
    ...(switchesOff(puts, place) ? { neuronsOff } : {}),
  }
}

/** The sites that a number follows from. */
const sitesBefore = ({ operands }: Explanation): string[] =>
  operands.flatMap(leavesOf).flatMap(({ at }) => (at !== null && placeOf(at) ? [at] : []))

/** A model has fewer numbers in a row that take none. */
const mostSteps = 40

/**
 * The way down the first operands to the first number that takes another; empty where none does.
 *
 * @param explain the explanation of a site
 */
export async function wayToNumber(
  explanation: Explanation,
  explain: (site: string) => Promise<Explanation | undefined>,
): Promise<readonly string[]> {
  const way: string[] = []
  let present: Explanation | undefined = explanation
  while (present && way.length < mostSteps) {
    const sites = sitesBefore(present)
    const found = sites.find(numberPlace)
    if (found !== undefined) return [...way, found]
    const [next] = sites
    if (next === undefined) return []
    way.push(next)
    present = await explain(next)
  }
  return []
}
