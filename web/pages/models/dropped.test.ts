import { expect, it, vi } from 'vitest'
import type { Trouble } from '../../engine/client/words'
import { openDropped, sourceOf } from './dropped'

type Transfer = Parameters<typeof openDropped>[0]

const readable = (name: string) => ({
  isFile: true,
  fullPath: `/model/${name}`,
  file: (use: (file: File) => void) => use(new File(['{}'], name)),
})
const gone = (name: string) => ({
  isFile: true,
  fullPath: `/model/${name}`,
  file: (_: unknown, refuse: (error: DOMException) => void) => refuse(new DOMException('it is gone', 'NotFoundError')),
})
const drop = (...entries: object[]) =>
  ({ items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })), files: [] }) as unknown as Transfer

function setUp() {
  const open = vi.fn()
  const trouble = vi.fn()
  return { open, trouble, engine: { trouble } }
}

it('dropped files become a model with the name of their folder', async () => {
  const { open, trouble, engine } = setUp()
  await openDropped(drop(readable('config.json'), readable('vocab.txt')), open, engine)
  expect(open).toHaveBeenCalledWith(expect.objectContaining({ kind: 'files', name: 'model' }))
  expect(trouble).not.toHaveBeenCalled()
})

it('a dropped file that cannot be read is named, and nothing is opened', async () => {
  const { open, trouble, engine } = setUp()
  await openDropped(drop(readable('config.json'), gone('vocab.txt')), open, engine)
  expect(open).not.toHaveBeenCalled()
  const [[kind, written]] = trouble.mock.calls as [[string, () => Trouble]]
  expect([kind, written().text]).toEqual(['load', expect.stringMatching(/\/model\/vocab\.txt: it is gone/)])
})

it('files without a folder have the name in their config.json, or of its class, or none of their own', async () => {
  const named = (config: string) => sourceOf([new File([config], 'config.json'), new File(['w'], 'model.safetensors')])
  expect((await named('{"_name_or_path":"/home/me/my-finetune/"}')).name).toBe('my-finetune')
  expect((await named('{"_name_or_path":"owner/model"}')).name).toBe('model')
  expect((await named('{"architectures":["RoFormerForCausalLM"]}')).name).toBe('RoFormerForCausalLM')
  for (const config of ['{}', 'no JSON', '{"_name_or_path":3,"architectures":[4]}'])
    expect((await named(config)).name).toBe('your model')
  const inFolder = new File(['{"_name_or_path":"a/b"}'], 'config.json')
  Object.defineProperty(inFolder, 'webkitRelativePath', { value: 'folder/config.json' })
  expect((await sourceOf([inFolder])).name).toBe('folder')
})
