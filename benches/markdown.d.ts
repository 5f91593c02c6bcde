export type Cell = number | string | boolean | null | undefined | readonly number[]
export type Row = Record<string, Cell>
export function textOf(value: Cell): string
export function table(rows: readonly Row[]): string
