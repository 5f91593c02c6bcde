// Every figure's component, drawn with the engine behind it: the WASM on the CPU.
import { beforeAll, describe, expect, it } from 'vitest'
import { openEdition } from '../i18n/edition.svelte'
import { languages } from '../i18n/language'
import { switchLanguage } from '../i18n/messages.svelte'
import { draw, expectDrawn, preparePainting } from '../testing/draw'
import { InThreadWorker, openBench } from '../testing/inThreadWorker'
import type { View } from '../views/view'

const folders = import.meta.glob<Readonly<Record<string, Partial<View>>>>('./*/index.ts', { eager: true })
const figures = Object.values(folders).flatMap((exports) =>
  Object.values(exports).filter((figure): figure is View => figure.module !== undefined),
)

preparePainting()

describe('with the model that comes with the page', () => {
  let opened: Awaited<ReturnType<typeof openBench<InThreadWorker>>>
  beforeAll(
    async () => void (opened = await openBench(new InThreadWorker(), 'roformer-english', 'the cat sat on the mat .')),
    60_000,
  )

  it.each(figures)('$id is drawn with names and numbers, in every language', async (figure) => {
    const { bench, worker, complete } = opened
    const runs = worker.count('run')
    const [english, ...others] = languages
    await openEdition(english)
    await switchLanguage(english)
    const drawn = await draw(bench, figure, complete)
    const inEnglish = expectDrawn(figure, drawn)
    for (const language of others) {
      await openEdition(language)
      await switchLanguage(language)
      await complete()
      expect(expectDrawn(figure, drawn)).not.toBe(inEnglish)
    }
    expect(worker.count('run')).toBe(runs)
    await drawn.close()
  })
})
