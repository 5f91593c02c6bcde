// The race's page as the benchmark drives it: what it needs, and what it says.
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { rolldown } from 'rolldown'
import type { Contender } from './contender'
import type { Race, Raced } from './racing'

const root = resolve(import.meta.dirname, '../..')

/** Makes the code of the page and its workers, and says which races there are, where the server has them. */
export async function prepare(races: readonly Race[]): Promise<void> {
  await mkdir(join(root, 'target/bench'), { recursive: true })
  for (const input of ['benches/browser/contender.ts', 'benches/browser/racePage.ts', 'web/engine/worker/helper.ts']) {
    // What the server has stays where it is.
    const bundle = await rolldown({ input: join(root, input), platform: 'browser', external: /^\/(web|benches)\// })
    await bundle.write({ file: join(root, 'target/bench', basename(input).replace('.ts', '.js')), format: 'esm' })
  }
  await writeFile(join(root, 'target/bench/races.json'), JSON.stringify(races))
}

export async function race(page: Page, contenders: Contender[], runs: number): Promise<Raced[]> {
  await page.waitForFunction(() => 'raceAll' in window)
  return page.evaluate(({ contenders, runs }) => window.raceAll(contenders, runs), { contenders, runs })
}
