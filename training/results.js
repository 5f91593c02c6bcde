// Writes RESULTS.md from `results/`: `node training/results.js`.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { table } from '../benches/markdown.js'

const folder = import.meta.dirname
const read = async (name) => JSON.parse(await readFile(join(folder, `results/${name}.json`), 'utf8'))

const introduction = `# What was trained, where, and what came out

\`node training/results.js\` writes this page from [results](results). [models.json](results/models.json) has what was found and how, in
its notes; each section begins with the first of them. [README.md](README.md) says how to train.
`

/** A loss with three digits behind the point. */
const loss = (value) =>
  value === undefined || value === null ? 'absent' : (Math.round(value * 1000) / 1000).toFixed(3)

/** Accuracies with one digit behind the point, and losses and bits with three. */
const printed = (rows) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => {
        if (typeof value !== 'number' || column === 'length') return [column, value]
        return [column, column.endsWith('%') ? value.toFixed(1) : loss(value)]
      }),
    ),
  )

/** The kinds of a comparison: losses on the validation text, and on the held-out book by row length. */
const kinds = ({ summary }) =>
  Object.entries(summary).map(([kind, { validation_loss: valid, loss_by_length: lengths }]) => ({
    kind,
    'validation loss, mean (least – most)': `${loss(valid.mean)} (${loss(valid.least)} – ${loss(valid.most)})`,
    ...Object.fromEntries(Object.entries(lengths).map(([length, one]) => [`book, rows of ${length}`, loss(one?.mean)])),
  }))

/** Names of the ways to stretch a rope, as lengths.json has them. */
const ways = {
  plain: 'as it is',
  interpolation: 'interpolation',
  dynamic: 'NTK-aware (dynamic)',
  yarn: "YaRN, its paper's ramp",
  yarnCode: "YaRN, its code's ramp",
  llama: "Llama 3.1's ramp",
  longrope: 'LongRoPE, with the factors of 250 tries',
  magnitude: 'LongRoPE with all factors 1: its magnitude alone',
  partial: 'a quarter of the pairs, as a rope of their own (partial)',
  proportional: 'the fastest quarter of the pairs (proportional)',
  clamp: 'distances up to 128 (ReRoPE)',
  logn: 'log-n',
  both: 'distances up to 128, and log-n',
}

const stretched = ({ losses }) =>
  Object.entries(ways).map(([way, name]) => ({
    way: name,
    ...Object.fromEntries(['1', '2', '4'].map((times) => [`${times} ×`, loss(losses[way][times])])),
  }))

const comparison = '--text books.txt.xz --tokenizer ../models/roformer-english'
const settings = '--steps 1200 --precision bfloat16 --compile --threads 1 --learning-rate 2e-3'
const picture = (name) =>
  `![Validation loss against steps, and loss on the held-out book against row length](results/${name}.svg)`
const again = (...lines) => `Again:\n\n\`\`\`sh\n${lines.join(' \\\n    ')}\n\`\`\``

/** RESULTS.md, as it is to be. */
export async function results() {
  const [{ notes, tables }, lengths, positions, attentions] = await Promise.all(
    ['models', 'lengths', 'positions', 'attentions'].map(read),
  )
  const own = (name) => table(printed(tables[name]))
  const sections = [
    ['Models', 'models', own('models')],
    ['Masked tokens of a book that none has seen', 'masked', own('masked')],
    ['The next token of that book', 'causal', own('causal')],
    [
      'Beyond its length',
      'lengths',
      table(stretched(lengths)),
      again('python measure_lengths.py ../models/roformer-english'),
    ],
    [
      'Rotary, sinusoidal and learned positions',
      'positions',
      picture('positions'),
      table(kinds(positions)),
      again(`python compare_positions.py ${comparison}`, `--output runs/positions --seeds 0,1,2 ${settings}`),
    ],
    [
      'Softmax and linear attention',
      'attentions',
      picture('attentions'),
      table(kinds(attentions)),
      again(`python compare_attentions.py ${comparison}`, `--output runs/attentions --seeds 0,1 ${settings}`),
    ],
    ['roformer-linear-english', 'linear', own('linear')],
    [
      'Numbers and dates written out',
      'numbers',
      again(
        'python train_numbers.py --output runs/marian-numbers --steps 2500 --threads 1 --precision bfloat16 --compile',
        '--validate-every 250 --validation-rows 512',
      ),
      again('python evaluate_numbers.py runs/marian-numbers --examples 1000 --write').replace('Again:\n\n', ''),
    ],
  ]
  const texts = sections.map(([title, name, ...parts]) => [`## ${title}`, notes[name][0], ...parts].join('\n\n'))
  return `${[introduction.trimEnd(), ...texts].join('\n\n')}\n`
}

if (process.argv[1] === import.meta.filename) await writeFile(join(folder, 'RESULTS.md'), await results())
