import { expect, overflow, test } from './explorer'

const languages = {
  ko: {
    locale: 'ko-KR',
    pages: ['탐색기', '읽기', '모델', '소개'],
    own: '모델 폴더를 여기에 놓으세요',
    privacy: '개인정보',
    failure: 'model.safetensors 파일을 찾지 못했습니다',
    keys: '단축키',
  },
  hu: {
    locale: 'hu-HU',
    pages: ['Felfedező', 'Olvasmány', 'Modellek', 'Névjegy'],
    own: 'Húzza ide egy modell mappáját',
    privacy: 'Adatvédelem',
    failure: 'model.safetensors: nem található',
    keys: 'Billentyűk',
  },
} as const

for (const [language, expected] of Object.entries(languages)) {
  test.describe(`@cpu a browser whose language is ${expected.locale}`, () => {
    test.use({ locale: expected.locale })

    test('gets the page and its views in it', async ({ explorer, page }) => {
      const others: string[] = []
      page.on('request', (request) => {
        const [, name] = /\/assets\/[\w.-]*?(ko|hu)-[\w-]+\.js$/.exec(request.url()) ?? []
        if (name !== undefined && name !== language) others.push(request.url())
      })
      await explorer.open({ text: 'The cat sat on the [MASK].' })
      const [, read, models, about] = expected.pages
      const linkTo = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect(page.getByTestId('view-map')).not.toHaveAttribute('lang', 'en')
      await expect(page.getByTestId('headline')).not.toHaveAttribute('lang', 'en')
      await expect(page.getByTestId('tabs').locator('[data-view=map]')).not.toHaveAttribute('lang', 'en')
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog')).toContainText(expected.keys)
      await page.keyboard.press('Escape')
      await expect(page.getByTestId('announcement')).not.toHaveAttribute('lang', 'en')
      await linkTo(models).click()
      await expect(page).toHaveTitle(`${models} · ropescope`)
      await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(expected.own)
      for (const width of [960, 1024]) {
        await page.setViewportSize({ width, height: 720 })
        await expect.poll(() => overflow(page), `the table of models at ${width} px`).toBeLessThanOrEqual(0)
      }
      await linkTo(about).click()
      await expect(page.getByRole('heading', { name: expected.privacy })).toBeVisible()
      await linkTo(read).click()
      await expect(page.getByTestId('chapter-1')).toBeVisible()
      expect(others).toEqual([])
      const [breaks, slant] = await page
        .locator('main p')
        .first()
        .evaluate((text) => [getComputedStyle(text).wordBreak, getComputedStyle(text).fontSynthesisStyle])
      if (language === 'ko')
        expect([breaks, slant], 'lines break between words, and no letter is slanted').toEqual(['keep-all', 'none'])
    })

    test('is told in it what failed', async ({ explorer, page }) => {
      await page.route('**/model.safetensors', (route) => route.fulfill({ status: 404 }))
      await explorer.visit({})
      const trouble = page.getByTestId('trouble-load')
      await expect(trouble).toContainText(expected.failure)
      await page.getByTestId('language').selectOption('en')
      await expect(trouble).toContainText('model.safetensors was not found')
    })

    test('can change it, which stays, and keeps what was typed', async ({ explorer, page }) => {
      await explorer.open({ text: 'The old man' })
      await page.getByTestId('text').fill('The old woman')
      await page.getByTestId('language').selectOption('en')
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      await expect(page.getByRole('navigation').getByRole('link', { name: 'Models' })).toBeVisible()
      await expect(page.getByTestId('text')).toHaveValue('The old woman')
      await page.reload()
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    })
  })
}

test('@cpu a link names the language, for this visit alone', async ({ explorer, page }) => {
  await explorer.open({ language: 'hu' })
  await expect(page.locator('html')).toHaveAttribute('lang', 'hu')
  await page.goto('./#/about')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})
