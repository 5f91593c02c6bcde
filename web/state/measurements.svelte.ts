/** Measurements of this machine that go on, in whatever engine: nothing begins by itself beside them. */
export const measurements = $state({ underWay: 0 })

const measuredModels = new WeakSet<object>()

/** Notes that losses of this model were measured: they are gone with the page. */
export function noteMeasured(model: object): void {
  measuredModels.add(model)
}

export function hasMeasured(model: object): boolean {
  return measuredModels.has(model)
}

/** What is measured meanwhile counts. */
export async function measuring<T>(work: () => Promise<T>): Promise<T> {
  measurements.underWay++
  try {
    return await work()
  } finally {
    measurements.underWay--
  }
}
