/** How one value of the state is written into the link and read back. Reading takes anything: links come from strangers. */
export interface Field<T> {
  /** Its name in the link. */
  name: string
  default: T
  write(value: T): string
  /** The nearest value that is allowed; undefined where there is none. */
  read(written: string): T | undefined
}

export function text(name: string, fallback: string, longest: number): Field<string> {
  return { name, default: fallback, write: (value) => value, read: (written) => written.slice(0, longest) }
}

export function oneOf<T extends string>(name: string, fallback: T, values: readonly T[]): Field<T> {
  return {
    name,
    default: fallback,
    write: (value) => value,
    read: (written) => values.find((value) => value === written),
  }
}

/** Integers from `least` to `most` in steps of `step`. */
export function integer(name: string, fallback: number, least: number, most: number, step = 1): Field<number> {
  return {
    name,
    default: fallback,
    write: String,
    read(written) {
      if (!/^[+-]?\d{1,15}$/.test(written)) return undefined
      const clamped = Math.min(most, Math.max(least, Number(written)))
      return least + Math.round((clamped - least) / step) * step
    },
  }
}

export function real(name: string, fallback: number, least: number, most: number): Field<number> {
  return {
    name,
    default: fallback,
    write: String,
    read(written) {
      const value = written.trim() === '' ? Number.NaN : Number(written)
      return Number.isNaN(value) ? undefined : Math.min(most, Math.max(least, value))
    },
  }
}

/** A field that may hold nothing, written as `none`. */
export function optional<T>(field: Field<T>, fallback: T | null): Field<T | null> {
  return {
    name: field.name,
    default: fallback,
    write: (value) => (value === null ? 'none' : field.write(value)),
    read: (written) => (written === 'none' ? null : field.read(written)),
  }
}
