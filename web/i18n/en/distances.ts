// Distances between query and key, in reading order: back is where the reader comes from.
import { integer, plural } from '../numbers'

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

export const numberWord = (count: number): string => numbers[count] ?? integer(count)

/** query − key as where the key stands. */
function where(distance: number): string {
  if (distance === 0) return 'on the query’s own place'
  const away = Math.abs(distance)
  return `${numberWord(away)} ${plural(away, 'token', 'tokens')} ${distance > 0 ? 'back' : 'ahead'}`
}

function short(distance: number): string {
  if (distance === 0) return 'same place'
  return `${integer(Math.abs(distance))} ${distance > 0 ? 'back' : 'ahead'}`
}

export const distances = {
  where,
  short,
  behind: '← key behind, tokens',
  ahead: 'key ahead, tokens →',
  shortBehind: '← behind',
  shortAhead: 'ahead →',
}
