/** More threads than these have not been measured. */
const most = 4

/** Threads that a machine with so many logical cores has for products, the engine's own among them: two of these often share a core. */
export function threadsFor(cores: number): number {
  return Math.max(Math.min(cores, 2), Math.min(cores >> 1, most), 1)
}
