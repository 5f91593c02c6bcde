// What a component creates of a signal.

export function inRoot<T>(first: T) {
  let value: T = $state.raw(first)
  return {
    get value(): T {
      return value
    },
    set value(to: T) {
      value = to
    },
    /** `end` unmounts the component. */
    make<M>(make: () => M): { result: M; end: () => void } {
      let result: M | undefined
      const end = $effect.root(() => {
        result = make()
      })
      return { result: result as M, end }
    },
  }
}
