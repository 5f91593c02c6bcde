// For tests: what a component would make, with a value that it would be given.

export function rooted<T>(first: T) {
  let value: T = $state.raw(first)
  return {
    get value(): T {
      return value
    },
    set value(to: T) {
      value = to
    },
    /** `end`: the component goes. */
    make<M>(make: () => M): { result: M; end: () => void } {
      let result: M | undefined
      const end = $effect.root(() => {
        result = make()
      })
      return { result: result as M, end }
    },
  }
}
