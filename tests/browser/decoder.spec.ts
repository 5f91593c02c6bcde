// A model of another family than RoFormer, with grouped heads and a byte-level tokenizer, opened from files.
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import { difference, generate, mapOf, run } from './commandLine'
import { expect, root, test as base, type Explorer } from './explorer'

const text = 'The cat sat on the mat, and the dog sat on the cat'
/** Its lengths, with the generated tokens, lie between two powers of two, so that no buffer grows. */
const long = 'the cat sat on the mat, and the dog sat on the mat, and the cat sat on the dog, and the dog sat'

const place = { temperature: '0', open: 'predictions', layer: '1', head: '3' }

/** SwiftShader compiles each family's kernels first. */
const patient = { timeout: 90_000 }

const test = base.extend<{ llama: string }>({
  llama: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
    for (const name of ['config.json', 'model.safetensors']) {
      await copyFile(join(root, 'tests/fixtures/decoder', name), join(folder, name))
    }
    await copyFile(join(root, 'tests/fixtures/tokenizers/llama3/tokenizer.json'), join(folder, 'tokenizer.json'))
    await use(folder)
    await rm(folder, { recursive: true })
  },
})

/** Opens the page, then the model from its files. */
async function open(explorer: Explorer, page: Page, folder: string, hash: Record<string, string>): Promise<void> {
  await explorer.open({ room: 'models', ...place, ...hash })
  await page.getByTestId('pick-folder').setInputFiles(folder)
  const { model } = await explorer.message('loaded', ({ model }) => model.architecture === 'LlamaForCausalLM')
  expect(model).toMatchObject({ num_attention_heads: 4, num_key_value_heads: 2, eos_token_ids: [561] })
  await expect(page.getByTestId('loaded-model')).toContainText('key and value heads')
  await page.getByRole('link', { name: 'Explorer' }).first().click()
  await expect(page.getByTestId('next-token').getByRole('button').first()).toBeVisible(patient)
}

/** The tokens that were written so far. */
function written(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    window.fromWorker.flatMap((message) =>
      message.type === 'chunk' && message.kind === 'generate' && 'id' in message.chunk ? [message.chunk.id] : [],
    ),
  )
}

/** Clicks Continue, and Stop once so many tokens were written. Both happen in the page: a click from outside may come after the last token. */
function writeAndStop(page: Page, tokens: number): Promise<void> {
  return page.evaluate((tokens) => {
    /** Continue, and Stop while the model writes. */
    const press = () => {
      const button = document.querySelector<HTMLElement>('[data-testid=write-on] .go')
      if (!button) throw new Error('there is no button to continue or to stop')
      button.click()
    }
    let left = tokens
    window.engineWorker.addEventListener('message', ({ data }) => {
      if (data.type === 'chunk' && data.kind === 'generate' && --left === 0) press()
    })
    press()
  }, tokens)
}

test('a Llama with grouped heads', async ({ explorer, page, backend, llama }) => {
  test.setTimeout(240_000)
  await open(explorer, page, llama, { text, maxNewTokens: '32' })
  /** Another text of the same model. */
  const follow = (hash: Record<string, string>) =>
    explorer.follow({ ...place, model: `own:${basename(llama)}`, ...hash })

  await test.step('writes what the command line writes, and its heads look where they look there', async () => {
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByTestId('ended')).toContainText('32 tokens', patient)
    expect(await written(page)).toEqual(await generate(llama, text, 32))

    const map = mapOf(await run(llama, await explorer.textBox.inputValue()), 1, 3)
    const tolerance = backend === 'gpu' ? 1e-4 : 1e-5
    const last = await explorer.answered('run', (result) => difference(result.attention, map) <= tolerance)
    expect([last.layer, last.head, last.length ** 2]).toEqual([1, 3, map.length])
  })

  await test.step('is stopped, its text changed, and goes on from there', async () => {
    await follow({ text, maxNewTokens: '80' })
    await writeAndStop(page, 3)
    await expect(page.getByTestId('ended')).toContainText('you stopped it after', patient)
    const before = (await written(page)).length
    const edited = 'The dog sat on the mat'
    await explorer.type(edited)
    await expect(page.getByTestId('next-token').getByRole('button').first()).toHaveAttribute('aria-disabled', 'false')
    await writeAndStop(page, 5)
    await expect.poll(async () => (await written(page)).length, patient).toBeGreaterThan(before + 4)
    await expect(page.getByTestId('ended')).toContainText('you stopped it after', patient)
    expect((await explorer.textBox.inputValue()).startsWith(edited)).toBe(true)
    const again = (await written(page)).slice(before)
    expect(again).toEqual(await generate(llama, edited, again.length))
  })

  // On the CPU nothing is made for a plan.
  if (backend === 'gpu')
    await test.step('makes nothing anew once its plans are there and looked at', async () => {
      await follow({ text: long, maxNewTokens: '24' })
      /** What a generation allocates and runs; its text is removed again. */
      const continuation = async () => {
        const before = await explorer.gpuCalls()
        await page.getByRole('button', { name: 'Continue' }).click()
        await expect(page.getByTestId('ended')).toContainText('24 tokens', patient)
        const { run } = await explorer.result()
        await explorer.answered('statistics', (statistics) => statistics.run >= run)
        const after = await explorer.gpuCalls()
        expect(after.dispatches, 'something ran meanwhile').toBeGreaterThan(before.dispatches)
        expect(after.errors).toEqual([])
        await page.getByRole('button', { name: 'last continuation' }).click()
        await expect(explorer.textBox).toHaveValue(long)
        return (
          [
            'createBuffer',
            'createComputePipeline',
            'createRenderPipeline',
            'createShaderModule',
            'createBindGroup',
          ] as const
        ).map((kind) => [kind, after[kind] - before[kind]])
      }
      // A buffer is bound when it is first needed, by a step or by a view's request, which on a busy machine may be late. What allocates in
      // every text would never stop.
      const created = []
      do created.push((await continuation()).filter(([, count]) => count !== 0))
      while (created.at(-1)?.length !== 0 && created.length < 6)
      expect(created.at(-1), JSON.stringify(created)).toEqual([])
    })
})
