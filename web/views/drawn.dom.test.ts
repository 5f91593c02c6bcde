// Every view's component, drawn with the engine behind it: the WASM on the CPU.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForPicture } from '../testing/openView.svelte'
import { draw, expectDrawn, preparePainting } from '../testing/draw'
import { InThreadWorker, bundledFiles, openBench } from '../testing/inThreadWorker'
import { views } from '.'
import { servesModel } from './view'

const esm = 'tests/golden/readers/esm'
const residues = 'L A G V S E R T I D P K Q N F Y M H W C X B U Z O . - <null_1> <mask>'.split(' ')
const proteinFiles = () => [
  ...['config.json', 'model.safetensors'].map((name) => new File([readFileSync(`${esm}/${name}`)], name)),
  new File([['<cls>', '<pad>', '<eos>', '<unk>', ...residues].join('\n')], 'vocab.txt'),
]

/** A view is drawn on the first of these that it serves, with a text and another one. */
const models = [
  {
    name: 'roformer-english',
    text: 'The little dog sat on the [MASK] by the door.',
    other: 'The old [MASK] looked at the wide sea for a very long time.',
  },
  { name: 'marian-numbers', text: '>>hu<<1984\tezerkilencszáz', other: '>>hu<<23\thuszon' },
  {
    name: 'esm',
    text: 'M K T A Y I A K Q R Q I S F V K S H F',
    other: 'M K T A Y I A K Q R Q I S',
    files: proteinFiles,
  },
]
const drawnViews = new Set<string>()

preparePainting()

describe.each(models)('on $name', ({ name, text, other, files = () => bundledFiles(name) }) => {
  let opened: Awaited<ReturnType<typeof openBench<InThreadWorker>>>
  beforeAll(async () => void (opened = await openBench(new InThreadWorker(), name, text, files())), 60_000)

  it.each(views)('$id is drawn with names and numbers, and follows the text', async (view) => {
    const { bench, complete } = opened
    if (drawnViews.has(view.id) || !servesModel(view, bench.run!.model.info)) return
    drawnViews.add(view.id)
    const drawn = await draw(bench, view, complete)
    await waitForPicture(drawn.picture)
    const before = expectDrawn(view, drawn)
    bench.choose({ text: other })
    await complete()
    await waitForPicture(drawn.picture)
    expect(expectDrawn(view, drawn)).not.toBe(before)
    bench.choose({ text })
    await complete()
    await drawn.close()
  })
})

afterAll(() => expect([...drawnViews].sort()).toEqual(views.map(({ id }) => id).sort()))
