// What captions name: the head, and the selected query and key in their colours.
import { headName, tokenName } from '../../../i18n/format'
import { key, query, type Piece } from '../../../i18n/rich'
import type { Run } from '../../../session/runs.svelte'
import type { Cursor } from '../../../viewstate/clamp'

export function named(run: Run, cursor: Cursor): { head: string; asks: Piece; answers: Piece } {
  const token = (position: number) => tokenName(run.reading.display[position] ?? '', position)
  return { head: headName(run.head), asks: query(token(cursor.query)), answers: key(token(cursor.key)) }
}
