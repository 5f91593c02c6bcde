// The parts of a view's rows, as tests look for them.
import type { Part, Row } from '../views/output'

/** The first part of this kind. */
export function partOf<K extends Part['kind']>(rows: readonly Row[] | undefined, kind: K): Extract<Part, { kind: K }> {
  const parts = rows?.flat() ?? []
  const found = parts.find(
    (part): part is Extract<Part, { kind: K }> => part !== undefined && part !== false && part.kind === kind,
  )
  if (!found) throw new Error(`no ${kind}`)
  return found
}
