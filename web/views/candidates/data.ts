// The candidates for one mask or for the next token, most likely first.
import { predictions } from '../../session/predictions'
import type { Inputs } from '../body'
import { predictedPosition } from '../../session/predictions'

export interface Option {
  id: number
  token: string
  /** Among the whole vocabulary. */
  before: number
  /** After the sampling settings; undefined where nothing is sampled. */
  after?: number
}

export interface Candidates {
  options: readonly Option[]
  /** Whether they are next tokens and not fills of a mask. */
  isNext: boolean
  /** The mask that they fill. */
  position: number | undefined
  /** The token that was sampled from them. */
  sampled: number | undefined
  /** The run that they are of, once there is one. */
  run: number | undefined
}

export function candidatesOf({ run, bench, cursor }: Inputs<object>): Candidates | undefined {
  if (!run) return undefined
  const { info, tokenizer } = run.model
  const { generation } = bench
  const token = (id: number) => tokenizer.display(id)
  // An encoder–decoder writes on, whichever of its parts is selected.
  if (info.is_decoder || run.reading.pair !== undefined) {
    const next = generation.drawn?.candidates ?? generation.next
    return {
      options: next.map((candidate) => ({ ...candidate, token: token(candidate.id) })),
      isNext: true,
      position: undefined,
      sampled: generation.drawn?.id,
      run: generation.nextRun,
    }
  }
  const position = predictedPosition(run.result.rows, cursor.query)
  const fills = predictions(run.result, token).find((prediction) => prediction.position === position)?.fills ?? []
  return {
    options: fills.map(({ id, token, probability }) => ({ id, token, before: probability })),
    isNext: false,
    position,
    sampled: undefined,
    run: run.result.run,
  }
}

/** After each option the sum of all up to it. */
export function cumulative(options: readonly Option[], of: (option: Option) => number): number[] {
  let sum = 0
  return options.map((option) => (sum += of(option)))
}

/** How many of the most likely options have this share of the probability; undefined if more than are listed. */
export function countForShare(options: readonly Option[], share: number): number | undefined {
  const index = cumulative(options, ({ before }) => before).findIndex((sum) => sum >= share)
  return index < 0 ? undefined : index + 1
}

/** Options that may be sampled. */
export interface Remaining {
  count: number
  /** Their probability before the settings. */
  mass: number
}

/** What the sampling settings leave; undefined where nothing is sampled. */
export function remainingOf(options: readonly Option[]): Remaining | undefined {
  if (options.some(({ after }) => after === undefined)) return undefined
  const left = options.filter(({ after }) => after !== 0)
  return { count: left.length, mass: left.reduce((sum, { before }) => sum + before, 0) }
}
