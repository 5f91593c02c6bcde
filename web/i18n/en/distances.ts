// Distances between query and key, in reading order: back is where the reader comes from.
import { decimal, integer, plural } from '../numbers'

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

export const numberWord = (count: number): string => numbers[count] ?? integer(count)

/** query − key as where the key stands. */
function where(distance: number): string {
  if (distance === 0) return 'on the query’s own place'
  const away = Math.abs(distance)
  return `${numberWord(away)} ${plural(away, { one: 'token', other: 'tokens' })} ${distance > 0 ? 'back' : 'ahead'}`
}

function short(distance: number): string {
  if (distance === 0) return 'same place'
  return `${integer(Math.abs(distance))} ${distance > 0 ? 'back' : 'ahead'}`
}

/** query − key in few letters: "1 back", "12k ahead". */
function brief(distance: number, digits = 0): string {
  const away = Math.abs(distance)
  const written = away >= 9999.5 ? `${integer(away / 1000)}k` : away >= 9.95 ? integer(away) : decimal(away, digits)
  if (Number(written) === 0) return digits === 0 ? 'itself' : written
  return `${written} ${distance > 0 ? 'back' : 'ahead'}`
}

export const distances = {
  where,
  short,
  brief,
  /** A mean weight in a small picture. */
  fraction: (value: number) => decimal(value, value < 0.0995 ? 3 : 2).replace(/^0\./, '.'),
  correlation: (value: number) => `r̄ ${Number.isNaN(value) ? '–' : decimal(value, 2).replace('-', '−')}`,
  behind: '← key behind, tokens',
  ahead: 'key ahead, tokens →',
  shortBehind: '← behind',
  shortAhead: 'ahead →',
}
