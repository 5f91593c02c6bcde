// A finding about a head as the headline.
import type { Words } from '../../words/words'
import type { Headline } from '../sheet.svelte'
import type { Finding } from './headline'

export interface Said {
  layer: number
  head: number
  /** Whether special tokens are left out of what was measured. */
  withoutSpecial: boolean
}

/** From this mean of the largest weights on a head is said to pick tokens, not to spread its weight. */
const picking = 0.5

export function headlineOf(finding: Finding, { layer, head, withoutSpecial }: Said, words: Words['map']): Headline {
  const { habit, commonest, largest } = finding
  const say = words.headline
  const parts = [
    habit ? say.habitLine(habit.habit, habit) : say.noHabit(commonest),
    ...(withoutSpecial ? [say.withoutSpecial] : []),
  ]
  const title = habit
    ? say.habit(layer, head, habit.habit)
    : (largest >= picking ? say.picks : say.spread)(layer, head, largest)
  return { title, line: parts.join(' ') }
}
