// Forms of products and attention are tried, one a part: a text is run a few times, and the engine learns what it computes and how long it takes.

import type { AtWork, Stream } from './answers'
import { changed } from './change'
import { isFailure } from './failure'
import type { TuningStep } from './protocol'
import type { Asks } from './questions'
import type { WasmEngine, WasmTuner } from './surface'

/** A form is tried for so many milliseconds, and so many runs at least; the least time of them counts. */
const longEnough = 40
const leastRuns = 3

const none = new Uint32Array()

/** Undefined: nothing is left. @throws {Failure} what ends all trials: a device that is lost, a run that is not wanted any more */
async function tryForm(
  engine: WasmEngine,
  tuner: WasmTuner,
  pause: () => Promise<boolean>,
): Promise<TuningStep | undefined> {
  const tokens = tuner.begin()
  if (tokens === undefined) return undefined
  const past = tuner.past()
  const ids = new Uint32Array(past + tokens)
  const run = () =>
    engine.aside('made-up', ids, 1, past > 0 ? Uint32Array.of(past) : none, 0, 0, changed(engine), pause)
  let least = Number.NaN
  let numbers: Float64Array = new Float64Array()
  let ends: unknown
  try {
    // The first lays out and compiles, or comes to the last token of a text that goes on.
    await run()
    least = Infinity
    const start = performance.now()
    for (let runs = 0; runs < leastRuns || performance.now() - start < longEnough; runs++) {
      const began = performance.now()
      numbers = await run()
      least = Math.min(least, performance.now() - began)
    }
  } catch (error) {
    least = Number.NaN
    // A form that cannot be had on this adapter is not taken.
    if (!isFailure(error) || error.code === 'overtaken' || error.code === 'device-lost') ends = error
  }
  const step = JSON.parse(tuner.learn(numbers, least)) as TuningStep
  if (ends !== undefined) throw ends
  return step
}

export async function* tune({ engine, model: held, pause }: AtWork, { model, anew }: Asks<'tune'>): Stream<'tune'> {
  if (held?.id !== model) return null
  if (anew) engine.useForms('')
  const tuner = engine.tuning()
  let step: TuningStep | undefined
  try {
    for (;;) {
      const next = await tryForm(engine, tuner, pause)
      if (!next) return step ?? { left: 0, texts: 0, forms: '', gains: [] }
      step = next
      yield step
    }
  } finally {
    tuner.free()
    // Where it is stopped, what was found so far is of use, too.
    if (step) engine.useForms(step.forms)
  }
}
