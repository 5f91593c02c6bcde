/** A value of a series as text: a number with its first three digits, or four from 10 on; several with commas between. */
export function textOf(value) {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value !== 'number') return String(value ?? '').replaceAll('|', '\\|')
  if (Number.isNaN(value)) return ''
  const rounded = Number.isInteger(value) ? value : Number(value.toPrecision(Math.abs(value) < 10 ? 3 : 4))
  return rounded.toLocaleString('en', { maximumFractionDigits: 9 })
}

/** Rows in Markdown. Columns of tokens and of single runs are for programs: they are left out. */
export function table(rows) {
  const isShort = (column) => rows.every((row) => !Array.isArray(row[column]) || row[column].length <= 3)
  const columns = [...new Set(rows.flatMap(Object.keys))].filter(isShort)
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [
    line(columns),
    `|${'---|'.repeat(columns.length)}`,
    ...rows.map((row) => line(columns.map((column) => textOf(row[column])))),
  ].join('\n')
}
