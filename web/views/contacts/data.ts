// Residues and their contacts. Residues count from 0; the text's first token is no residue.
import type { ContactResult } from '../../engine/protocol/protocol'

/** In tokens. The map of a longer protein is not computed. */
export const longestProtein = 512

/** Nearer residues of the chain always touch. */
const minDistance = 6

/** Two residues. */
export interface Pair {
  one: number
  other: number
  probability: number
}

const probability = ({ numbers, count }: ContactResult, one: number, other: number) => numbers[one * count + other] ?? 0

/** The contacts of a residue, most likely first. */
export function partners(contacts: ContactResult, one: number): Pair[] {
  const others = Array.from({ length: contacts.count }, (_, other) => other)
  return others
    .filter((other) => Math.abs(other - one) >= minDistance)
    .map((other) => ({ one, other, probability: probability(contacts, one, other) }))
    .sort((a, b) => b.probability - a.probability)
}

/** Every pair once, most likely first. */
export function pairsOf(contacts: ContactResult): Pair[] {
  const pairs: Pair[] = []
  for (let one = 0; one < contacts.count; one++) {
    for (let other = one + minDistance; other < contacts.count; other++) {
      pairs.push({ one, other, probability: probability(contacts, one, other) })
    }
  }
  return pairs.sort((a, b) => b.probability - a.probability)
}

/** The residue of a token at this position; the nearest one for the first and the last token. */
export const residueAt = (position: number, count: number): number => Math.max(0, Math.min(position - 1, count - 1))
