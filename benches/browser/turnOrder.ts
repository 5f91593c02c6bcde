/** Who runs when: each turn has another order. Whoever always came behind the same one would find what that one leaves of the caches. */
export function turnOrder(turn: number, count: number): number[] {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  const places = Array.from({ length: count }, (_, at) => at)
  const steps = places.map((at) => at + 1).filter((step) => divisor(step, count) === 1)
  const step = steps[turn % steps.length] ?? 1
  return places.map((place) => (turn + place * step) % count)
}
