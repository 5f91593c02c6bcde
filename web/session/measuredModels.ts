const measuredModels = new WeakSet<object>()

/** Notes that losses of this model were measured: they are gone with the page. */
export function noteMeasured(model: object): void {
  measuredModels.add(model)
}

export function hasMeasured(model: object): boolean {
  return measuredModels.has(model)
}
