import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { faults } from './axe'
import { figures, read } from './chapters'
import { expect, overflow, root, test } from './explorer'

const asked = (page: Page) =>
  page.evaluate(() => window.toWorker.filter((message) => message.type === 'request').length)

test('@cpu read', async ({ explorer, page }) => {
  await explorer.step(
    'each chapter shows its figure alone, and scrolling moves through the chapters',
    { room: 'read' },
    async () => {
      for (const [index, figure] of figures.entries()) {
        await read(page, String(index + 1))
        await expect(page.locator('[data-view]')).toHaveCount(1)
        await expect(page.getByTestId(`view-${figure}`)).toBeVisible()
        await expect(page.getByTestId(`chapter-${index + 1}`)).toBeInViewport()
      }
      const steps = await page.evaluate(() => history.length)
      await page.getByTestId('chapter-6').evaluate((chapter) => chapter.scrollIntoView())
      await expect(page.getByTestId('view-near')).toBeVisible()
      await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/read\/6\?/)
      expect(await page.evaluate(() => history.length), 'scrolling is no step of the history').toBe(steps)
      await page.getByRole('link', { name: /^5 Many speeds/ }).click()
      await expect(page.getByTestId('view-speeds')).toBeVisible()
      await page.goBack()
      await expect(page.getByTestId('view-near')).toBeVisible()
    },
  )

  await explorer.step(
    'links of the laboratory open the figures that it showed',
    { room: 'laboratory', headSize: '128', 'near.curve': 'bound' },
    async () => {
      await expect(page.getByRole('heading', { name: 'All figures' })).toBeVisible()
      await expect(page.locator('[data-view]')).toHaveCount(2)
      const theta = await explorer.answered('frequencies')
      expect(theta.length).toBe(64)
      const [bound] = await explorer.answered('distanceCurves')
      expect(bound?.bound.length).toBe(257)
      await page.locator('button[data-figure=turn]').click()
      await expect(page.getByTestId('view-turn')).toBeVisible()
      await expect(page.locator('[data-view]')).toHaveCount(2)
      await explorer.shown({ 'read.figures': 'near,turn' })
    },
  )

  await explorer.step(
    'a step of the ruler asks the engine once, and only the figure in sight is there',
    { room: 'read' },
    async () => {
      for (const chapter of ['5', '6', '8']) {
        await read(page, chapter, { 'near.curve': 'bound' })
        await explorer.settled()
        const before = await asked(page)
        await page.getByTestId('ruler-base').selectOption('1000000')
        await explorer.shown({ base: '1000000' })
        await explorer.settled()
        expect((await asked(page)) - before, `chapter ${chapter}`).toBe(1)
        await page.getByTestId('ruler-base').selectOption('10000')
        await explorer.settled()
      }
      for (const [chapter, slider] of [
        ['6', 'as far as'],
        ['8', 'times as long'],
        ['9', 'first token at'],
      ] as const) {
        await read(page, chapter, { 'near.curve': 'bound' })
        await explorer.settled()
        const before = await asked(page)
        await page.getByRole('slider', { name: slider }).press('ArrowRight')
        await explorer.settled()
        expect((await asked(page)) - before, `chapter ${chapter}: ${slider}`).toBe(1)
      }
      await read(page, '5', { query: '18', key: '6' })
      const before = await asked(page)
      await page.getByTestId('ruler-query').press('ArrowRight')
      await explorer.shown({ query: '19', key: '6' })
      expect(await asked(page), 'a position asks nothing: the frequencies are there').toBe(before)
    },
  )

  await explorer.step(
    'what links try is what the figure shows, and a guess is answered',
    { room: 'read' },
    async () => {
      await read(page, '4')
      const score = page.getByTestId('turn-value')
      await page.getByTestId('tries-4').getByRole('button').first().click()
      await expect(score).toContainText('score −0.256')
      await page.getByTestId('tries-4').getByRole('button').nth(1).click()
      await expect(score).toContainText('score +0.956')
      const guess = page.getByTestId('guess-4')
      await guess.getByRole('button').first().click()
      await expect(guess).toContainText('No.')
      await guess.getByRole('button').last().click()
      await expect(guess).toContainText('Yes.')
      await page.getByTestId('tries-4').getByRole('button').last().click()
      await expect(page.getByTestId('norms-scene-caption')).toContainText(
        'rotation changes no pair’s length by more than',
      )
      const { before, rotated, added } = await explorer.answered('norms')
      const length = (row: Float64Array) => Math.hypot(...row)
      expect(length(rotated)).toBeCloseTo(length(before), 12)
      expect(Math.abs(length(added) - length(before))).toBeGreaterThan(0.1)
      await read(page, '3')
      await page.getByTestId('tries-3').getByRole('button').first().click()
      await expect(page.getByTestId('added-value')).toContainText('64 of its 384 dimensions, 512 rows and no more')
      await read(page, '8')
      await page.getByTestId('tries-8').getByRole('button').nth(1).click()
      await expect(page.getByTestId('stretch-counts')).toContainText('keeps 29 pairs, blends 6, divides 29')
      await page.getByTestId('tries-8').getByRole('button').last().click()
      await expect(page.getByTestId('stretch-counts')).toContainText('a factor of its own, 1.07 to 64.76')
      await read(page, '6')
      await page.getByTestId('tries-6').getByRole('button').last().click()
      const [short] = await explorer.answered('smallestBases')
      expect(short).toBeGreaterThan(100)
      await expect(page.getByTestId('near-value')).toContainText('Smallest base by length of the context')
      await read(page, '10')
      await page.getByTestId('tries-10').getByRole('button').nth(1).click()
      await expect(page.getByTestId('view-rotations').getByRole('button', { name: 'Measure' })).toBeVisible()
      await page.getByTestId('figures-10').getByText('Long texts').click()
      await expect(page.getByTestId('view-lengths')).toBeVisible()
      await explorer.shown({ 'read.figure': 'lengths' })
      await read(page, '9')
      await page.getByTestId('tries-9').getByRole('button').last().click()
      await expect(page.getByTestId('ways-value')).toContainText('is the same')
      await page.getByTestId('tries-9').getByRole('button').nth(1).click()
      await expect(page.getByTestId('ways-value')).toContainText('changes by up to')
    },
  )

  await explorer.step('the pairs and rows of a head are the model’s own', { room: 'read' }, async () => {
    await read(page, '6', { vectors: 'head', 'near.curve': 'score', query: '3', key: '1', layer: '1', head: '2' })
    const [own] = await explorer.answered('distanceCurves', (curves) => (curves[0]?.score.length ?? 0) > 0)
    const { head_size } = (await explorer.message('loaded')).model
    expect(own?.theta.length).toBe(head_size / 2)
    const { query, key } = await explorer.answered('run', ({ layer, head }) => layer === 1 && head === 2)
    const product = Array.from(
      { length: head_size },
      (_, at) => (query[3 * head_size + at] ?? NaN) * (key[head_size + at] ?? NaN),
    )
    expect(own?.score[2]).toBeCloseTo(
      product.reduce((sum, part) => sum + part, 0),
      4,
    )
  })

  await explorer.step(
    'chapters have titles and the words that people search for, and lead on from one to the next',
    { room: 'read' },
    async () => {
      await read(page, '3')
      const links = page.getByTestId('contents').getByRole('link')
      await expect(links).toHaveCount(figures.length + 1)
      await expect(links.nth(3)).toHaveAccessibleName('4 Turn instead rotation, mθ and nθ')
      await expect(links.nth(2)).toHaveAttribute('aria-current', 'page')
      // Contents, then the figure, then the text.
      await links.nth(3).focus()
      await page.keyboard.press('Enter')
      await expect(page).toHaveTitle('4 Turn instead · ropescope')
      for (let after = 4; after <= figures.length; after++) {
        await page.keyboard.press('Tab')
        await expect(links.nth(after)).toBeFocused()
      }
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.closest('[data-testid=figure]') !== null)).toBe(true)
      const text = page.getByTestId('chapter-4')
      await text.getByRole('button', { name: 'to its figure' }).press('Enter')
      await expect(page.getByTestId('figure')).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(text.getByRole('button', { name: 'to its figure' })).toBeFocused()
      await page.keyboard.press('f')
      await expect(page.getByTestId('figure')).toBeFocused()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(page).toHaveTitle('5 Many speeds · ropescope')
      await expect(page.getByTestId('view-speeds')).toBeVisible()
      await expect(page.locator('#chapter-5')).toBeInViewport()
      await expect(page.getByTestId('next-10')).toHaveCount(0)
    },
  )

  await explorer.step(
    'the two arrows: angles of the model’s head, and a score that a common shift leaves alone',
    { room: 'read' },
    async () => {
      await page.evaluate(() => (location.hash = '#/read/4'))
      const figure = page.getByTestId('view-turn')
      const score = page.getByTestId('turn-value')
      await expect(score).toContainText('query at 3, key at 1: 51.0° between them, score +3.554')
      for (const angle of ['mθ = 96.7°', 'nθ = 32.2°', '(m − n)θ = 64.4°'])
        await expect(figure.getByText(angle, { exact: true })).toBeVisible()
      await figure.getByRole('button', { name: 'both +' }).click()
      await expect(score).toContainText('query at 4, key at 2: 51.0° between them, score +3.554')
      await expect(figure.getByText('mθ = 128.9°', { exact: true })).toBeVisible()
      await figure.getByRole('button', { name: 'query +' }).click()
      await expect(score).toContainText('query at 5, key at 2: 83.3° between them, score +0.66')
      await explorer.shown({ 'turn.m': '5', 'turn.n': '2' })
      await figure.getByRole('slider', { name: 'position of the key' }).press('ArrowRight')
      await expect(score).toContainText('query at 5, key at 3: 51.0°')
      await figure.getByRole('button', { name: 'play from the start' }).click()
      await expect(score).toContainText('query at 0, key at 0')
      await expect(score).toContainText('query at 5, key at 3', { timeout: 15_000 })
      await expect(figure.getByRole('button', { name: 'play from the start' })).toBeVisible()
    },
  )

  await explorer.step(
    'hands on one dial fan out with distance, and those of the model’s head meet at one token back',
    { room: 'read' },
    async () => {
      await page.evaluate(() => (location.hash = '#/read/6'))
      const figure = page.getByTestId('view-near')
      const words = page.getByTestId('near-value')
      await expect(words).toContainText('20 apart: the arrow is 0.62 long')
      await expect(words).toContainText('Of 32 hands 19 have turned by at most 30°, 5 have completed a turn.')
      for (const length of ['0.97', '0.39']) await expect(figure.getByText(length, { exact: true })).toBeVisible()
      const distance = figure.getByRole('slider', { name: 'Distance of the cursor' })
      await distance.press('Home')
      await expect(words).toContainText('1 apart: the arrow is 0.97 long')
      await explorer.shown({ 'near.at': '1' })
      const upright = async () =>
        Number(/upright part, ([−\d.]+), is/.exec(await words.innerText())?.[1]?.replace('−', '-'))
      await figure.getByText('of L2·H6', { exact: true }).click()
      await expect(words).toContainText('Of 16 hands')
      const one = await upright()
      await distance.press('ArrowRight')
      await expect(words).toContainText('2 apart')
      expect(await upright()).toBeLessThan(one)
    },
  )

  await explorer.step(
    'the maps of sinusoids stand beside those of RoPE, which do not change',
    { room: 'read' },
    async () => {
      await page.evaluate(() => (location.hash = '#/read/9'))
      await expect(page.getByTestId('ways-value')).toContainText('changes by up to')
      const figure = page.getByTestId('view-ways')
      await expect(figure.getByText('RoPE: change of the sum', { exact: true })).toBeVisible()
      await expect(figure.getByText('0.00 everywhere', { exact: true })).toHaveCount(1)
      // The pane scrolls to what its height cuts off.
      const last = figure.getByRole('row').last()
      await page.getByTestId('figure').evaluate((pane) => (pane.scrollTop = pane.scrollHeight))
      await expect(last).toBeInViewport({ ratio: 1 })
    },
  )

  await explorer.step('three languages, which no link names', { room: 'read' }, async () => {
    await read(page, '5')
    await page.getByTestId('language').selectOption('hu')
    await expect(page.getByRole('heading', { name: '5 Sokféle sebesség' })).toBeVisible()
    await expect(page.getByTestId('chapter-5')).toContainText('47 117'.replace(' ', '\u00a0'))
    await expect(page.getByTestId('more-speeds')).toContainText('egyéb')
    await explorer.shown({ language: null })
    await page.getByTestId('language').selectOption('ko')
    await expect(page.getByRole('heading', { name: '5 여러 속도' })).toBeVisible()
    await expect(page.locator('[lang=ko]').first()).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
    await page.keyboard.press('?')
    await expect(page.getByTestId('keys')).toContainText('단축키')
    await page.keyboard.press('Escape')
    await page.reload()
    await expect(page.getByRole('heading', { name: '5 여러 속도' })).toBeVisible()
    await page.getByRole('link', { name: '탐색기', exact: true }).click()
    await expect(page.getByTestId('tabs')).toContainText('맵')
  })
})

test('@cpu a link to a chapter shows its title, also when formulas above it have got their font', async ({ page }) => {
  for (const chapter of ['7', '10']) {
    await page.goto('about:blank')
    await page.goto(`./#/read/${chapter}?v=2&backend=cpu`)
    const fonts = () => page.evaluate(() => [...document.fonts].map(({ status }) => status))
    await expect.poll(fonts).toContain('loaded')
    const top = async () => (await page.locator(`#chapter-${chapter}`).boundingBox())?.y
    await expect.poll(top, `chapter ${chapter}`).toBeGreaterThan(0)
    expect(await top()).toBeLessThan(60)
  }
})

test('@cpu a reader who scrolls before the fonts come stays there', async ({ page }) => {
  let release = () => {}
  const released = new Promise<void>((done) => (release = done))
  await page.route('**/*.woff2', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('./#/read/7?v=2&backend=cpu')
  const top = async () => Math.round((await page.getByTestId('chapter-7').boundingBox())?.y ?? NaN)
  const fonts = () => page.evaluate(() => [...document.fonts].map(({ status }) => status))
  await expect.poll(fonts).toContain('loading')
  await expect.poll(async () => Math.abs(await top())).toBe(0)
  await page.mouse.move(900, 400)
  await page.mouse.wheel(0, 60)
  await expect.poll(top).toBeLessThan(-30)
  release()
  await page.evaluate(() => document.fonts.ready)
  expect(await fonts()).not.toContain('loading')
  expect(await top()).toBeLessThan(-30)
})

test('@cpu read on a phone', async ({ explorer, page }) => {
  // Ten chapters on a busy machine.
  test.setTimeout(300_000)
  await page.setViewportSize({ width: 390, height: 844 })
  await explorer.step(
    'the figure stays above the text that scrolls, and can take all of the screen',
    { room: 'read' },
    async () => {
      await page.getByTestId('contents').selectOption('4')
      const pane = page.getByTestId('figure')
      const picture = pane.locator('svg').first()
      await expect(page.getByTestId('view-turn').locator('svg').first()).toBeInViewport()
      const before = await picture.boundingBox()
      const scrolled = await page.evaluate(() => scrollY)
      await page.evaluate(() => scrollBy(0, 300))
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled + 300)
      expect(await picture.boundingBox()).toEqual(before)
      await page.getByRole('button', { name: 'larger', exact: true }).click()
      await expect.poll(async () => (await pane.boundingBox())?.height ?? 0).toBeGreaterThan(780)
      await page.getByRole('button', { name: 'smaller', exact: true }).click()
      await expect.poll(async () => (await pane.boundingBox())?.height ?? 0).toBeLessThan(420)
      await page.getByRole('button', { name: 'Next: 5 Many speeds' }).click()
      await expect(page.getByTestId('view-speeds')).toBeVisible()
      await expect(page.getByTestId('contents')).toHaveValue('5')
    },
  )

  await explorer.step(
    'one gets through all chapters: axe finds nothing, and nothing is wider than the page',
    { room: 'read' },
    async () => {
      for (let chapter = 1; chapter <= figures.length; chapter++) {
        await read(page, String(chapter))
        expect(await faults(page, 10), `chapter ${chapter}`).toEqual([])
        expect(await overflow(page), `chapter ${chapter}`).toBeLessThanOrEqual(0)
        // The figure takes the upper half of the screen, and the chapter begins below it.
        const pane = await page.getByTestId('figure').boundingBox()
        // Above the first chapter is the page's own bar.
        expect(pane?.y, `chapter ${chapter}`).toBeLessThanOrEqual(chapter === 1 ? 80 : 0)
        expect(pane?.height, `chapter ${chapter}`).toBeLessThanOrEqual(422)
        const heading = await page.locator(`#chapter-${chapter}`).boundingBox()
        expect(heading?.y, `chapter ${chapter}`).toBeGreaterThanOrEqual(pane?.height ?? NaN)
        expect(heading?.y, `chapter ${chapter}`).toBeLessThan(640)
      }
    },
  )
})

test.describe('@cpu read, beyond the length', () => {
  test.use({ model: 'bundled' })

  test('texts beyond the model’s length are read when that is asked for, and lose what PyTorch says', async ({
    explorer,
    page,
  }) => {
    test.setTimeout(240_000)
    const text = await readFile(join(root, 'training/results/lengths.json'), 'utf8')
    const { rows } = JSON.parse(text) as { rows: Record<string, Record<string, number[]>> }
    await explorer.open({ room: 'read' })
    await read(page, '8', { 'read.figure': 'longer', 'longer.ways': 'logn', 'longer.way': 'logn' }, 'longer')
    const figure = page.getByTestId('view-longer')
    await explorer.settled()
    const runs = await explorer.requestCount('run')
    expect([await explorer.requestCount('loss'), await explorer.requestCount('comparisonHead')]).toEqual([0, 0])
    await figure.getByRole('button', { name: 'Measure longer texts' }).click()
    // The first row, at three lengths.
    await expect.poll(() => explorer.requestCount('loss'), { timeout: 200_000 }).toBeGreaterThan(3)
    await figure.getByRole('button', { name: 'Stop' }).click()
    await expect(figure.getByRole('button', { name: 'Continue' })).toBeVisible()
    await explorer.settled()
    const found = await page.evaluate(() =>
      window.toWorker
        .flatMap((message) => (message.type === 'request' && message.kind === 'loss' ? [message] : []))
        .slice(0, 3)
        .map(({ id, params }) => {
          const answer = window.fromWorker.find((message) => message.type === 'result' && message.id === id)
          return { times: 4 / params.batch, mean: (answer as { result: { mean: number } }).result.mean }
        }),
    )
    expect(found.map(({ times }) => times)).toEqual([1, 2, 4])
    // At the model's own length nothing differs but the order of sums.
    const measured = (times: number) => rows[times === 1 ? 'plain' : 'logn']?.[times]
    for (const { times, mean } of found) expect(mean, `${times} ×`).toBeCloseTo(measured(times)?.[0] ?? NaN, 2)
    await expect(figure.locator('canvas')).toHaveCount(3)
    await expect(page.getByTestId('longer-tokens')).toContainText('The Mysterious Rider')
    expect(await explorer.requestCount('run'), 'the text that is looked at stays').toBe(runs)
  })
})
