import { difference, followPosition } from '../text/edit'
import type { Reading } from '../text/reading'
import type { Choice } from '../viewstate/choice'

/** The selected query and key of one text as positions of another. */
export function movedTo(
  { query, key }: Partial<Pick<Choice, 'query' | 'key'>>,
  from: string,
  before: Reading,
  to: string,
  now: Reading,
): Partial<Pick<Choice, 'query' | 'key'>> {
  const edit = difference(from, to)
  const move = (position: number) => followPosition(position, before, now, edit)
  return {
    ...(query === undefined ? {} : { query: move(query) }),
    ...(key === undefined ? {} : { key: move(key) }),
  }
}
