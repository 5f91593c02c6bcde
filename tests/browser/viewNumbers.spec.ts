// Walks over all views on WebGPU: each has the same numbers as on the CPU.
import type { Page } from '@playwright/test'
import { expect, Explorer, test } from './explorer'
import { numbersOf, walk, type Numbers } from './walk'

/** The relative difference of f32 sums in another order. */
const tolerance = 1e-3

async function numbersOfAll(explorer: Explorer, page: Page): Promise<Map<string, Numbers>> {
  const found = new Map<string, Numbers>()
  for await (const { declared } of walk(explorer, page, 'views')) {
    await explorer.settled()
    expect((await explorer.result()).report.backend).toBe(explorer.backend)
    found.set(declared.id, await numbersOf(page, declared.id))
  }
  return found
}

/** An offset changes a weight by rounding alone: the cell that it changes most is chance. */
const byChance = new Set(['layer', 'head', 'query', 'key'])

function withoutChance({ columns, rows }: Numbers[string]): Numbers[string] {
  if (!columns.includes('largest change of a weight')) return { columns, rows }
  return { columns, rows: rows.map((row) => (row as unknown[]).filter((_, at) => !byChance.has(columns[at] ?? ''))) }
}

/** The differing cells of two tables, and their differences. */
function differences(one: Numbers, other: Numbers): string[] {
  const near = (a: number, b: number) => Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b))
  const alike = (a: unknown, b: unknown): boolean => {
    if (typeof a === 'number' && typeof b === 'number') return near(a, b)
    if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((cell, at) => alike(cell, b[at]))
    return JSON.stringify(a) === JSON.stringify(b)
  }
  expect(Object.keys(one)).toEqual(Object.keys(other))
  return Object.entries(one).flatMap(([name, table]) => {
    const { columns, rows } = withoutChance(table)
    const wanted = other[name] && withoutChance(other[name])
    if (!wanted || !alike(columns, wanted.columns) || rows.length !== wanted.rows.length)
      return [`${name}: other columns or rows`]
    return rows.flatMap((row, at) =>
      alike(row, wanted.rows[at])
        ? []
        : [`${name}, row ${at}: ${JSON.stringify(row)}, ${JSON.stringify(wanted.rows[at])}`],
    )
  })
}

test('@webgpu every view shows the numbers that it shows on the CPU', async ({ explorer, page }) => {
  test.setTimeout(300_000)
  const onGpu = await numbersOfAll(explorer, page)
  expect((await explorer.gpuCalls()).errors).toEqual([])

  const cpu = new Explorer(page, 'cpu', explorer.origin)
  // Another document: its worker starts on the CPU.
  await page.goto('about:blank')
  const onCpu = await numbersOfAll(cpu, page)

  expect([...onGpu.keys()]).toEqual([...onCpu.keys()])
  let rows = 0
  for (const [id, numbers] of onGpu) {
    const wanted = onCpu.get(id)
    if (!wanted) throw new Error(`${id} was not opened on the CPU`)
    expect(differences(numbers, wanted), id).toEqual([])
    rows += Object.values(numbers).reduce((sum, table) => sum + table.rows.length, 0)
  }
  expect(rows, 'rows that were compared').toBeGreaterThan(100)
})
