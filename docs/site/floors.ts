// The picture of the floors in ARCHITECTURE.md: which folder imports from which, as the files say.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { escaped } from './page.ts'

export interface Floors {
  title: string
  /** Folders and files, from the top. */
  rooms: readonly string[]
  /** Whether a file of a room imports from another room. */
  imports(from: string, to: string): boolean
}

const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name))
    .filter((path) => ending.test(path) && !/test/.test(path))

function floorsOf(title: string, rooms: readonly string[], edges: Iterable<readonly [string, string]>): Floors {
  const roomOf = (path: string) => rooms.find((room) => path === room || path.startsWith(`${room}/`))
  const found = new Set<string>()
  for (const [file, target] of edges) {
    const [from, to] = [roomOf(file), roomOf(target)]
    if (from !== undefined && to !== undefined && from !== to) found.add(`${from} ${to}`)
  }
  return { title, rooms, imports: (from, to) => found.has(`${from} ${to}`) }
}

/** The strings of a list in a source file, which begins with these words. */
function listIn(file: string, start: string): string[] {
  const source = readFileSync(file, 'utf8')
  const list = source.slice(source.indexOf(start)).split(/\n\]/)[0] ?? ''
  return [...list.matchAll(/["']([\w/.]+)["']/g)].map(([, name]) => name ?? '')
}

/** Of the engine, in the order that tests/structure/architecture.rs demands. */
export function engineFloors(): Floors {
  const rooms = listIn('tests/structure/architecture.rs', 'const FLOORS').reverse()
  const edges: [string, string][] = []
  for (const file of filesIn('src', /\.rs$/)) {
    const [code = ''] = readFileSync(file, 'utf8')
      .replace(/\/\/.*/g, '')
      .split('#[cfg(test)]')
    for (const [, list, name] of code.matchAll(/\bcrate::(?:\{([^;]*?)\};|(\w+))/g))
      for (const [module] of (list?.replace(/\{[^}]*\}/g, '') ?? name ?? '').matchAll(/\b[a-z_]+/g))
        edges.push([file, rooms.find((room) => [module, `src/${module}`, `src/${module}.rs`].includes(room)) ?? ''])
  }
  return floorsOf('The engine', rooms, edges)
}

/** Of the page, in the order that tests/pageImports.test.mjs demands. */
export function pageFloors(): Floors {
  const rooms = listIn('tests/pageImports.test.mjs', 'const order').map((folder) => `web/${folder}`)
  const edges: [string, string][] = []
  for (const file of filesIn('web', /\.(ts|svelte)$/))
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import|import\()\s*['"](\.[^'"]*)['"]/g))
      edges.push([file, posix.join(posix.dirname(file), path ?? '')])
  return floorsOf('The page', rooms, edges)
}

const [cell, names, header] = [20, 130, 130]

/** A row imports from the columns that have a dot: no dot lies left of the diagonal. */
function panel({ title, rooms, imports }: Floors, x: number): string {
  const at = (index: number) => index * cell + cell / 2
  const short = (room: string) => escaped(room.replace(/^(src|web)\//, ''))
  const rows = rooms.map((room, index) => {
    const y = header + at(index)
    const dots = rooms.flatMap((other, column) =>
      imports(room, other) ? [`<circle cx="${x + names + at(column)}" cy="${y}" r="4"/>`] : [],
    )
    const [left, top] = [x + names + index * cell, header + index * cell]
    return [
      `<text x="${x + names - 6}" y="${y + 4}" text-anchor="end">${short(room)}</text>`,
      `<text transform="translate(${x + names + at(index) + 4} ${header - 6}) rotate(-60)">${short(room)}</text>`,
      `<rect x="${left}" y="${top}" width="${cell}" height="${cell}" fill="#ddd"/>`,
      ...dots,
    ].join('\n')
  })
  return [`<text x="${x + 8}" y="24" font-size="15" font-weight="bold">${title}</text>`, ...rows].join('\n')
}

export function drawFloors(all: readonly Floors[]): string {
  const widths = all.map(({ rooms }) => names + rooms.length * cell + 60)
  const height = header + Math.max(...all.map(({ rooms }) => rooms.length)) * cell + 16
  const width = widths.reduce((sum, one) => sum + one)
  const panels = all.map((floors, index) =>
    panel(
      floors,
      widths.slice(0, index).reduce((sum, one) => sum + one, 0),
    ),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Which folder imports from which">
<rect width="${width}" height="${height}" fill="#fff"/>
<g font-family="system-ui, sans-serif" font-size="12" fill="#222">
${panels.join('\n')}
</g>
</svg>
`
}
