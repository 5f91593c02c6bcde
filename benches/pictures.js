// Draws the newest series of races as pictures for RESULTS.md: `node benches/pictures.js`.
import { mkdir, writeFile } from 'node:fs/promises'
import { readSeries } from './series.js'

const folder = new URL('./', import.meta.url)
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
const escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const ours = '#2563ae'
const theirs = '#9a9a92'
const [line, names, bars, panel] = [22, 190, 170, 410]

/** One measure of one row: its name, a bar, and the number. */
function bar({ name, value }, at, most, x) {
  const width = Math.max(1, (value / most) * bars)
  const y = 44 + at * line
  return [
    `<text x="${x + names - 8}" y="${y + 12}" text-anchor="end">${escaped(name)}</text>`,
    `<rect x="${x + names}" y="${y}" width="${width.toFixed(1)}" height="16" fill="${name.startsWith('ropescope') ? ours : theirs}"/>`,
    `<text x="${x + names + width + 5}" y="${y + 12}">${value < 100 ? value.toFixed(1) : value.toFixed(0)}</text>`,
  ].join('\n')
}

/** Panels beside each other, the same rows in each. */
function picture(title, panels) {
  const rows = panels[0].rows.length
  const [width, height] = [panel * panels.length, 56 + rows * line]
  const drawn = panels.map(({ title, rows }, at) => {
    const most = Math.max(...rows.map(({ value }) => value))
    const x = at * panel
    return [
      `<text x="${x + names}" y="32">${escaped(title)}</text>`,
      ...rows.map((row, index) => bar(row, index, most, x)),
    ]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" fill="#fff"/>
<g font-family="system-ui, sans-serif" font-size="12" fill="#222">
<text x="8" y="15" font-weight="bold">${escaped(title)}</text>
${drawn.flat().join('\n')}
</g>
</svg>
`
}

const all = await readSeries()
const newest = (subject, fits) => all.findLast((series) => series.subject === subject && fits(series))
const draw = (name, title, panels) => writeFile(new URL(`pictures/${name}.svg`, folder), picture(title, panels))
await mkdir(new URL('pictures/', folder), { recursive: true })

const { machine, prompt, tokens, rows } = newest('peers', ({ rows }) => rows)
// What could not be measured is left out.
const told = (value) => rows.map((row) => ({ name: row.name, value: value(row) })).filter(({ value }) => value > 0)
await draw('peers', `SmolLM2-135M’s shape in WASM, one thread: ${machine.cpu}, ${machine.browser}`, [
  {
    title: `prefill of ${prompt} tokens, tokens a second`,
    rows: told(({ firsts }) => (1000 * prompt) / median(firsts)),
  },
  { title: 'writing, tokens a second', rows: told(({ behinds }) => (1000 * tokens) / median(behinds)) },
  { title: 'peak of the page’s process, MB', rows: told(({ peak }) => peak / 1e6) },
])

// A race of all models has GPUs in it, too.
const beside = newest('race', ({ races }) => races?.some(({ backend }) => backend === 'gpu'))
/** A row's name beside others of its backend. */
const short = ({ name, threads, backend }) =>
  `${name
    .replace(/^onnxruntime-web [0-9.]+, graph/, 'onnxruntime,')
    .replace(/, (CPU|GPU|WebGPU)/, '')
    .replace('without relaxed SIMD', '(plain)')}${backend === 'gpu' ? '' : `, ${threads}`}`
for (const [backend, title] of [
  ['cpu', 'WASM on one and two threads'],
  ['gpu', 'WebGPU'],
]) {
  const races = beside.races.filter((race) => race.backend === backend)
  const adapter = races[0]?.rows[0]?.adapter
  const where = [beside.machine.cpu, ...(adapter ? [adapter] : []), beside.machine.browser].join(', ')
  await draw(
    `beside-${backend}`,
    `Milliseconds a run, median, less is better; ${title}: ${where}`,
    races.map(({ model, tokens, rows }) => ({
      title: `${model}, ${tokens} tokens`,
      rows: rows.map((row) => ({ name: short(row), value: median(row.runs) })),
    })),
  )
}
