/** Measurements of this machine that go on, in whatever engine: nothing begins by itself beside them. */
export const measurements = $state({ underWay: 0 })

/** What is measured meanwhile counts. */
export async function measuring<T>(work: () => Promise<T>): Promise<T> {
  measurements.underWay++
  try {
    return await work()
  } finally {
    measurements.underWay--
  }
}
