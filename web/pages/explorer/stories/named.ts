// What captions name: the head, and the selected query and key in their colours.
import { headName, percent, tokenName } from '../../../i18n/format'
import { key, query, quoted, type Piece } from '../../../i18n/rich'
import type { Run } from '../../../session/runs.svelte'
import type { Cursor } from '../../../viewstate/cursor'
import { guessOf } from './measures'

export function named(run: Run, cursor: Cursor): { head: string; asks: Piece; answers: Piece } {
  const token = (position: number) => tokenName(run.reading.display[position] ?? '', position)
  return { head: headName(run.head), asks: query(token(cursor.query)), answers: key(token(cursor.key)) }
}

/** A run's best guess, and its probability. */
export function namedGuess(run: Run | undefined): { id: number; token: Piece; chance: string } | undefined {
  const guess = run && guessOf(run)
  return guess && { id: guess.id, token: quoted(guess.token), chance: percent(guess.probability) }
}
