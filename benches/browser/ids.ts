/** Seeded, the same as natively: the numbers matter, not the words. */
export function ids(seed: number, length: number, vocabulary: number): number[] {
  let state = seed
  return Array.from({ length }, () => (state = (state * 48271) % 2147483647) % vocabulary)
}
