// What a view's numbers are called and how they are written as JSON.
import type { NamedTable } from '../../ui/table'

/** `ropescope-map-2-6.csv` */
export function fileName(view: string, of: string, ending: string): string {
  return `ropescope-${view}-${of}.${ending}`
}

/** Tables as JSON: by name the columns and the rows. Numbers that JSON has no word for are null. */
export function json(tables: readonly NamedTable[]): string {
  const entries = tables.map(({ name, table }) => {
    const rows = Array.from({ length: table.length }, (_, index) => table.row(index))
    return [name, { columns: table.header, rows }] as const
  })
  return JSON.stringify(Object.fromEntries(entries))
}
