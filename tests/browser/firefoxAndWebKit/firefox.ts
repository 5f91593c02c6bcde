// Firefox by WebDriver BiDi.
import puppeteer, { type Browser } from 'puppeteer-core'
import type { Visitor } from './visitor'

/** Debian's Firefox, or the program that FIREFOX names, as `cargo xtask test` sets it. */
const program = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr'

export function startFirefox(): Promise<Browser> {
  return puppeteer.launch({ browser: 'firefox', executablePath: program, headless: true })
}

/** A window without cookies, caches or other traces of earlier visits. */
export async function firefoxVisitor(browser: Browser): Promise<Visitor> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setViewport({ width: 1280, height: 900 })
  return {
    browser: await browser.version(),
    open: async (url) => {
      // Another fragment alone would load nothing.
      await page.goto('about:blank')
      await page.goto(url)
    },
    reload: async () => void (await page.reload()),
    evaluate: (work, ...given) => page.evaluate(`(${work})(...${JSON.stringify(given)})`) as Promise<never>,
    click: (selector) => page.click(selector),
    type: (text) => page.keyboard.type(text),
    choose: async (selector, paths) => {
      const input = await page.waitForSelector(selector)
      await (input as unknown as { uploadFile(...paths: string[]): Promise<void> }).uploadFile(...paths)
    },
    close: () => context.close(),
  }
}
