// The candidates for one place of a text, the likeliest first, and what they hold together.

export interface Option {
  id: number
  token: string
  /** Among the whole vocabulary. */
  before: number
  /** After the sampling settings; undefined: nothing is drawn here. */
  after?: number
}

/** After each option the sum of all up to it. */
export function sums(options: readonly Option[], of: (option: Option) => number): number[] {
  let sum = 0
  return options.map((option) => (sum += of(option)))
}

/** How many of the likeliest hold this share of the probability together; undefined: more than are listed. */
export function holding(options: readonly Option[], share: number): number | undefined {
  const found = sums(options, ({ before }) => before).findIndex((sum) => sum >= share)
  return found < 0 ? undefined : found + 1
}

export interface Kept {
  /** Options that may be drawn. */
  count: number
  /** What they had before the settings. */
  mass: number
}

/** What the sampling settings leave; undefined where nothing is drawn. */
export function kept(options: readonly Option[]): Kept | undefined {
  if (options.some(({ after }) => after === undefined)) return undefined
  const left = options.filter(({ after }) => after !== 0)
  return { count: left.length, mass: left.reduce((sum, { before }) => sum + before, 0) }
}
