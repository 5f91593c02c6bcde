// Writes RESULTS.md from the series in `results/` and the goals: `node benches/results.js`.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textOf, table } from './markdown.js'
import { machineOf, readSeries } from './series.js'

const folder = import.meta.dirname

const introduction = `# Measurements

\`node benches/results.js\` writes this page from the series in [results](results) and from [goals.json](goals.json);
[series.js](series.js) says what a series looks like. The notes of a series say what was measured, what was found, and what was tried
and left out. This page rounds numbers; the series have all of their digits.

- \`cargo xtask bench\` measures natively and in the browser, with a first visit. \`--earlier FOLDER\` visits an earlier build in turn.
- \`--peers\` measures beside onnxruntime-web, llama.cpp and transformers.js, \`--growth\` time and memory against sizes, \`--gpu\` the GPU
  backend by kernel, dispatch, token, batch, length and tap.
- With \`BENCH_BUSY=1\`, \`--peers\` measures beside onnxruntime-web alone, while another process computes on one core.
- \`python benches/native_peers.py\` measures beside llama.cpp and PyTorch natively.
- Browser benchmarks write their series. \`--gpu\` writes \`results/gpu.json\`, and \`pytorch.py\` \`results/pytorch.json\`: a series once
  they are moved into a subject's folder, named by date and machine.

Absolute times are of one small shared machine and mean little. Ratios are of runs that alternate in one browser or process; below 1
ropescope is the quicker. Least times are what other work on the machine disturbs least. All races of two threads are of one kind of
processor, an AMD EPYC with AVX-512; of another, without it, there are only ratios of single kernels and builds in Node. llvmpipe and
SwiftShader are software, so their times say nothing about a GPU; their dispatches and bytes do. One hardware GPU has been measured,
natively: an NVIDIA H200.
`

/** What is measured, in the order of the page. */
const subjects = {
  race: { title: 'Beside onnxruntime-web, in one browser', pictures: ['beside-cpu', 'beside-gpu'] },
  busy: { title: 'Beside onnxruntime-web, in one browser, while another process computes' },
  decode: { title: 'Writing in every format, beside llama.cpp, in the browser' },
  peers: { title: 'Beside llama.cpp and transformers.js, in one browser', pictures: ['peers'] },
  'peers-native': { title: 'Beside llama.cpp and PyTorch, natively' },
  gpu: { title: 'The GPU backend, natively' },
  pytorch: { title: 'PyTorch on the same card' },
  visit: { title: 'A first visit from an empty cache, beside an earlier page' },
  size: { title: 'What a first visit fetches besides the model' },
  read: { title: 'Read: tasks that keep the page from answering' },
  formats: { title: 'Weights as f16, int8 and int4' },
  native: { title: 'Runs, natively' },
  growth: { title: 'Time and memory against sizes' },
  lengths: { title: 'Attention and rotation against length, in the page' },
  node: { title: 'WASM before and after a change, in Node' },
  shaders: { title: 'Shaders before and after a change' },
}

/** The numbers of a series that answer a goal. Of a median and a least time it is the median. */
function figuresOf({ tables }, { table, where, columns }) {
  const isOne = (row) => Object.entries(where).every(([column, value]) => row[column] === value)
  return (tables[table]?.rows ?? [])
    .filter(isOne)
    .flatMap((row) => columns.map((column) => [row[column]].flat()[0]))
    .filter((value) => typeof value === 'number')
}

/** The series that answer a goal, the oldest first; none where its subject has not been measured yet. @throws {Error} where none of its subject's does */
export function answersTo({ goal, figure }, all) {
  const ofSubject = all.filter(({ subject }) => subject === figure.subject)
  const answers = ofSubject
    .map((series) => ({ series, figures: figuresOf(series, figure) }))
    .filter(({ figures }) => figures.length > 0)
  if (answers.length === 0 && (ofSubject.length > 0 || !(figure.subject in subjects)))
    throw new Error(`no series answers the goal “${goal}”`)
  return answers
}

const span = (figures) => {
  const [least, most] = [Math.min(...figures), Math.max(...figures)].map(textOf)
  return least === most ? least : `${least}–${most}`
}

/** A goal names the most, or the least of each figure. */
function verdict(figures, { atMost, atLeast }) {
  if (atMost === undefined && atLeast === undefined) return ''
  const good = figures.filter((figure, at) => (atLeast ? figure >= atLeast[at] : figure <= atMost)).length
  if (good === figures.length) return 'yes'
  return good === 0 ? 'no' : `${good} of ${figures.length}`
}

function goalRow(goal, all) {
  const answers = goal.figure === null ? [] : answersTo(goal, all)
  if (answers.length === 0)
    return { goal: goal.goal, met: goal.test ? `yes, by [tests](../${goal.test})` : 'not measured', why: goal.why }
  const { series, figures } = answers.at(-1)
  return {
    goal: goal.goal,
    last: `${figures.map(textOf).join(', ')} ([${series.date}](results/${series.path}))`,
    earlier: answers
      .slice(0, -1)
      .map(({ figures }) => span(figures))
      .join(' → '),
    met: verdict(figures, goal),
    why: goal.why,
  }
}

function goalsSection(goals, all) {
  const columns = { goal: '', last: '', earlier: '', met: '', why: '' }
  return `## The goals, and where they stand

Figures of the race are medians of the demo model at 16 and 128 tokens and of 6 layers of 384 at 16 and 128. *Earlier* has the least and
the most of each series before, the oldest first.

${table(goals.map((goal) => ({ ...columns, ...goalRow(goal, all) })))}
`
}

function subjectSection([subject, { title, pictures = [] }], all) {
  const series = all.filter((one) => one.subject === subject)
  const newest = series.at(-1)
  // Goals are about ratios.
  const first = newest.tables.ratios ?? Object.values(newest.tables)[0]
  const link = ({ path, date, title, ...rest }) =>
    `- [${[date, machineOf(rest)].filter(Boolean).join(', ')}](results/${path})${title ? `: ${title}` : ''}`
  return [
    `## ${title}`,
    `${first.title} (${newest.date}):`,
    table(first.rows),
    ...pictures.map((name) => `![${title}](pictures/${name}.svg)`),
    series.toReversed().map(link).join('\n'),
  ].join('\n\n')
}

export const readGoals = async () => JSON.parse(await readFile(join(folder, 'goals.json'), 'utf8'))

/** RESULTS.md, as it is to be. @throws {Error} where a goal names a figure that no series has, or a series has an unknown subject */
export async function results() {
  const [goals, all] = [await readGoals(), await readSeries()]
  for (const { subject, path } of all) if (!(subject in subjects)) throw new Error(`${path} has an unknown subject`)
  const measured = Object.entries(subjects).filter(([name]) => all.some(({ subject }) => subject === name))
  const sections = measured.map((entry) => subjectSection(entry, all))
  return [introduction, goalsSection(goals, all), `${sections.join('\n\n')}\n`].join('\n')
}

if (process.argv[1] === import.meta.filename) await writeFile(join(folder, 'RESULTS.md'), await results())
