const measuredModels = new WeakSet<object>()

/** Notes that losses of this model were measured: a reload loses them. */
export function noteMeasured(model: object): void {
  measuredModels.add(model)
}

export function hasMeasured(model: object): boolean {
  return measuredModels.has(model)
}
