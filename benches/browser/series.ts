// What a benchmark measured: printed as Markdown, and written as a series (../series.js).
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { table, type Row } from '../markdown.js'
import type { Machine } from './machine'

const root = resolve(import.meta.dirname, '../..')

interface Table {
  title: string
  rows: Row[]
}

/** Tables that are printed as they are measured, and end as one file. */
export class Series {
  readonly #tables: Record<string, Table & { notes: string[] }> = {}
  readonly #notes: string[] = []

  /** Prints a table and remembers it. */
  add(name: string, title: string, rows: Row[]): void {
    console.log(`\n${title}\n\n${table(rows)}`)
    this.#tables[name] = { title, rows, notes: [] }
  }

  /** Remembers what a reader of the tables has to know. */
  note(note: string): void {
    this.#notes.push(note)
  }

  /** Writes a new file below `results/`. Single runs stand beside the tables. Nothing is written where nothing was measured. */
  async write(subject: string, machine: Machine, command: string, runs: object = {}): Promise<void> {
    if (Object.keys(this.#tables).length === 0) return
    const folder = join(root, 'benches/results', subject)
    await mkdir(folder, { recursive: true })
    const date = new Date().toISOString().slice(0, 10)
    const number = 1 + (await readdir(folder)).filter((name) => name.startsWith(date)).length
    const processor = (machine.cpu.replace(/\(\w+\)/g, '').match(/\w+/g) ?? []).slice(0, 2).join('-').toLowerCase()
    const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
      cwd: root,
      encoding: 'utf8',
    })
    const series = {
      title: '',
      date,
      machine,
      commit: commit.trim(),
      command,
      notes: this.#notes,
      tables: this.#tables,
      ...runs,
    }
    await writeFile(join(folder, `${date}-${number}-${processor}.json`), `${toJson(series)}\n`)
  }
}

/** JSON with a line for each row. */
function toJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null || indent.length === 8) return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const lines = Object.entries(value).map(
    ([name, one]) => `${inner}${isList ? '' : `${JSON.stringify(name)}: `}${toJson(one, inner)}`,
  )
  const [open, close] = isList ? '[]' : '{}'
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${indent}${close}`
}
