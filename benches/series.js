// Reads the measurements. `results/<subject>/<date>-<machine>.json` is a series: what one command measured on one machine, as
//
//   { title, date, machine, adapter?, commit?, command?, notes: [], tables: { name: { title, rows: [{ column: value }], notes: [] } } }
//
// `commit` is the one that recorded the series. A value is a number, a text, several figures (the column or the title says which), or null
// where nothing was measured. Single runs stand beside the tables, as `races` of `race` and `rows` of `peers`.
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'results')

/** All series, the oldest first, each with its subject and its path below `results/`. */
export async function readSeries() {
  const subjects = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const all = []
  for (const { name: subject } of subjects) {
    for (const file of await readdir(join(folder, subject))) {
      const path = `${subject}/${file}`
      try {
        all.push({ subject, path, ...JSON.parse(await readFile(join(folder, path), 'utf8')) })
      } catch (error) {
        throw new Error(`benches/results/${path}: ${error.message}`)
      }
    }
  }
  const named = ({ path }) => path.slice(path.indexOf('/') + 1, -'.json'.length)
  return all.sort((one, other) => named(one).localeCompare(named(other), 'en', { numeric: true }))
}

/** The processor, the adapter and the browser of a series. */
export function machineOf({ machine, adapter }) {
  const { cpu, processor, browser, system } = machine
  return [cpu ?? processor, adapter?.name ?? machine.adapter, browser ?? system].filter(Boolean).join(', ')
}
