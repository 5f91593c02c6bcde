import { expect, it } from 'vitest'
import { trained, training } from '../../i18n/facts'
import { misfits } from '../../testing/outputs'
import { t } from './messages.en'
import * as module from './view'
import { drawCost, kinds } from './view'

it('three kinds stay in their room, and a kind that ends says so', async () => {
  expect(
    await misfits((room) => {
      const scene = drawCost(trained, kinds, training.tokens, room)
      const texts = scene.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
      expect(texts.some((text) => text.includes(t().ends))).toBe(true)
      return scene
    }),
  ).toEqual([])
})

it('the table has all kinds, whichever are drawn', () => {
  const { published } = module
    .output({ bench: { choice: { headSize: 64 } }, params: { kinds: 'rotary' }, width: 400, height: 300 } as never)
    .pictureFor(undefined)
  const [losses] = published?.tables ?? []
  expect(losses?.table.row(0)).toHaveLength(t().columns.length)
  const all = Array.from({ length: losses?.table.length ?? 0 }, (_, at) => losses?.table.row(at)[0])
  expect(new Set(all)).toEqual(new Set(kinds.map((kind) => t().kinds[kind])))
})
