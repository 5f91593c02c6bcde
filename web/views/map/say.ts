// A finding about heads as the headline.
import type { MapKind } from '../../engine/protocol/protocol'
import type { Words } from '../../i18n/words'
import type { Headline } from '../sheet.svelte'
import type { Finding } from './headline'
import type { HeadMap } from '../../charts/attention-map/model'
import type { Subject } from '../../charts/attention-map/subject'
import type { Taken } from './taken'

export interface Said extends Subject {
  /** Whether special tokens are left out of what was measured. */
  withoutSpecial: boolean
}

/** From this mean of the largest weights on a head is said to pick tokens, not to spread its weight. */
const picking = 0.5

export function headlineOf(finding: Finding, said: Said, words: Words['map']): Headline {
  const { habit, commonest, few, largest } = finding
  const say = words.headline
  const subject = say.subject(said)
  const parts = [
    habit ? say.habitLine(habit.habit, habit) : few ? say.few : say.noHabit(commonest),
    ...(said.count === 1 ? [] : [say.mean(said.count)]),
    ...(said.withoutSpecial ? [say.withoutSpecial] : []),
  ]
  const title = habit
    ? say.habit(subject, habit.habit)
    : (largest >= picking ? say.picks : say.spread)(subject, largest)
  return { title, line: parts.join(' ') }
}

/** While it is not known yet what the heads do. */
export function seekingHeadline(said: Said, { headline: say }: Words['map']): Headline {
  return { title: say.seeking(say.subject(said)), line: say.seekingLine }
}

/** Where most of what is taken comes from. `taken`: of the weights times norms; `byWeight`: of the weights alone, where they are there. */
export function takenHeadline(
  { taken, byWeight }: { taken: Taken; byWeight: Taken | undefined },
  { map, kind, said }: { map: HeadMap; kind: MapKind; said: Said },
  words: Words['map'],
): Headline {
  const say = words.headline
  const token = ({ key, share }: Taken) => ({ name: map.names[key] ?? '', position: map.positions[key] ?? 0, share })
  const parts = [
    ...(byWeight
      ? [byWeight.key === taken.key ? say.sameByWeight(byWeight.share) : say.byWeight(token(byWeight))]
      : []),
    ...(said.count === 1 ? [] : [say.mean(said.count)]),
    ...(said.withoutSpecial ? [say.withoutSpecial] : []),
  ]
  return { title: say.takes(say.subject(said), token(taken), kind), line: parts.join(' ') }
}
