// A view's command gives the view's numbers for any text: a shell runs it unchanged.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { readSafetensors } from '../../benches/browser/safetensors'
import { difference, mapOf, programs } from './commandLine'
import { bundledModel, expect, test } from './explorer'

const call = promisify(execFile)
const long = 'the cat sat on the mat . '.repeat(90)

/** A view's command, from its menu. */
async function commandOf(page: Page, view: string): Promise<string> {
  await page.getByTestId(`more-${view}`).click()
  const command = await page.getByTestId(`view-${view}`).locator('.command code').innerText()
  await page.keyboard.press('Escape')
  return command
}

/** Runs a command line with the model in models/, and returns its output. */
async function runCommand(command: string, model: string): Promise<{ stdout: string; output: Buffer | undefined }> {
  const folder = await mkdtemp(join(tmpdir(), 'ropescope-'))
  await mkdir(join(folder, 'models'))
  await symlink(model, join(folder, 'models/roformer-english'))
  const env = { ...process.env, PATH: [programs, process.env['PATH']].join(delimiter) }
  const { stdout } = await call('sh', ['-c', command], { cwd: folder, env })
  const output = await readFile(join(folder, 'out.safetensors')).catch(() => undefined)
  await rm(folder, { recursive: true })
  return { stdout, output }
}

const texts = {
  'begins with a hyphen': '-5 degrees',
  'is a hyphen': '-',
  'is an option': '--help',
  'is what a shell would take apart': `the dog's "$HOME" \\ !! * ; cat`,
  'has two lines': 'the cat\nsat on the mat',
}

test('@cpu the command of any text', async ({ explorer, page, tinyModel }) => {
  await explorer.open({ text: 'the cat', open: 'map', layer: '1', head: '2' })
  for (const [name, text] of Object.entries(texts))
    await test.step(name, async () => {
      await explorer.resultAfter(() => explorer.type(text))
      await sameNumbers(page, explorer, tinyModel)
    })
})

test('@cpu the command of a text of which only the beginning is read', async ({ explorer, page, tinyModel }) => {
  await explorer.open({ text: long, open: 'map', layer: '1', head: '2' })
  expect((await explorer.result()).length).toBe(512)
  await sameNumbers(page, explorer, tinyModel)
})

test('@cpu the command that fills masks', async ({ explorer, page, tinyModel }) => {
  await explorer.open({ text: '-5 [MASK] degrees', open: 'predictions' })
  const command = await commandOf(page, 'predictions')
  expect(command).toContain('ropescope fill-mask')
  expect((await runCommand(command, tinyModel)).stdout).toContain('[MASK] at position')
})

async function sameNumbers(
  page: Page,
  explorer: { result(): Promise<{ length: number; attention: Float32Array }> },
  model: string,
): Promise<void> {
  const { length, attention } = await explorer.result()
  const { output } = await runCommand(await commandOf(page, 'map'), model)
  const tensors = output && readSafetensors(output)
  expect(tensors?.get('attentions.1')?.shape.slice(-2)).toEqual([length, length])
  expect(tensors && difference(attention, mapOf(tensors, 1, 2))).toBeLessThanOrEqual(1e-5)
}

test.describe('@cpu a text that is longer than the model is made for', () => {
  test.use({ model: 'bundled' })

  test('has a command, too', async ({ explorer, page }) => {
    await explorer.open({ text: long, beyond: '1', open: 'map', layer: '1', head: '2' })
    expect((await explorer.result()).length).toBeGreaterThan(600)
    await sameNumbers(page, explorer, bundledModel)
  })

  test('is told layer by layer', async ({ explorer }) => {
    const text = `the [MASK] sat on the mat . ${long}`
    await explorer.open({ text, beyond: '1', open: 'predictions', 'predictions.lens': 'on', query: '2' })
    expect((await explorer.result()).length).toBeGreaterThan(600)
    expect((await explorer.answered('lens')).topProbabilities.length).toBeGreaterThan(0)
  })
})
