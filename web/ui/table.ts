// Tables of a view's numbers, with their files.

import type { Sentence } from '../i18n/rich'
import { exact, headName } from '../i18n/numbers'
import type { HeadPlace } from '../viewstate/choice'

/** A head is written L2·H6, in tables and in files. */
export type Cell = string | number | HeadPlace

/** Rows are computed when they are read: a map of 512 tokens has 262,144 numbers. */
export interface Table {
  header: readonly string[]
  length: number
  row: (index: number) => Cell[]
  /** The site of the number in a cell, which leads to its explanation on the page. Files have plain numbers. */
  siteOf?: ((row: number, column: number) => string | undefined) | undefined
}

/** A measurement in one sentence, and its numbers in another. */
export interface Headline {
  title: Sentence | string
  line: Sentence | string
}

/** A table with the name of what its numbers are. */
export interface NamedTable {
  name: string
  table: Table
}

/** A table with a row for each item; `{ length }` for rows of numbered items. `siteOf`: of the number in a column, if it has one. */
export const namedTable = <T>(
  name: string,
  header: readonly string[],
  items: ArrayLike<T>,
  row: (item: T, index: number) => Cell[],
  siteOf?: (item: T, column: number, index: number) => string | undefined,
): NamedTable => ({
  name,
  table: {
    header,
    length: items.length,
    row: (index) => (index < items.length ? row(items[index] as T, index) : []),
    siteOf: siteOf && ((index, column) => siteOf(items[index] as T, column, index)),
  },
})

/** A cell in tables and files: a head is L2·H6, because a spreadsheet would read 2.10 as 2.1. */
export function text(cell: Cell): string {
  if (typeof cell === 'object') return headName(cell)
  return typeof cell === 'number' ? exact(cell) : cell
}

/** What a file says of its numbers before them, by name. */
export type Facts = Readonly<Record<string, unknown>>

/** Facts as comments, one a line, then the tables as CSV. */
export function csvFile(tables: readonly NamedTable[], facts: Facts = {}): string {
  const plain = (fact: unknown) => (typeof fact === 'string' && !/[\r\n]/.test(fact) ? fact : JSON.stringify(fact))
  const comments = Object.entries(facts).map(([name, fact]) => `# ${name}: ${plain(fact)}\r\n`)
  return comments.join('') + tables.map(({ table }) => csv(table)).join('\r\n')
}

/** RFC 4180: quoted where needed, lines ended by CR LF. */
export function csv({ header, length, row }: Table): string {
  const field = (cell: Cell) => {
    const plain = text(cell)
    return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
  }
  const lines = [header.map(field).join(',')]
  for (let index = 0; index < length; index++) lines.push(row(index).map(field).join(','))
  return lines.map((line) => `${line}\r\n`).join('')
}

/** Facts and tables as JSON: by name the columns and the rows. Numbers that JSON has no word for are null. */
export function json(tables: readonly NamedTable[], facts: Facts = {}): string {
  const entries = tables.map(({ name, table }) => {
    const rows = Array.from({ length: table.length }, (_, index) =>
      table.row(index).map((cell) => (typeof cell === 'object' ? text(cell) : cell)),
    )
    return [name, { columns: table.header, rows }] as const
  })
  return JSON.stringify({ ...facts, tables: Object.fromEntries(entries) })
}

/** Rows per page: about 4,000 cells, so that a wide table opens fast. */
export function pageLength(columns: number): number {
  return Math.max(10, Math.floor(4000 / Math.max(columns, 1)))
}
