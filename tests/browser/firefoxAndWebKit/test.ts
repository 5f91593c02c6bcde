import type { Browser } from 'puppeteer-core'
import { test as base } from '../packed'
import { firefoxVisitor, startFirefox } from './firefox'
import { AppPage, type Visitor } from './visitor'
import { startScreen, webKitVisitor, type Screen } from './webkit'

type BrowserEngine = 'firefox' | 'webkit'

export interface OtherBrowser {
  browserEngine: BrowserEngine
}

interface Fixtures {
  visitor: Visitor
  app: AppPage
}

interface Programs {
  programs: { firefox: () => Promise<Browser>; screen: () => Promise<Screen> }
}

/** Tests that drive Firefox or WebKit. No browser of Playwright's is started. */
export const test = base.extend<OtherBrowser & Fixtures, Programs>({
  browserEngine: ['firefox', { option: true }],

  programs: [
    async ({}, use) => {
      let firefox: Promise<Browser> | undefined
      let screen: Promise<Screen> | undefined
      await use({ firefox: () => (firefox ??= startFirefox()), screen: () => (screen ??= startScreen()) })
      await (await firefox)?.close()
      await (await screen)?.close()
    },
    { scope: 'worker' },
  ],

  visitor: async ({ programs, browserEngine }, use) => {
    const visitor =
      browserEngine === 'firefox'
        ? await firefoxVisitor(await programs.firefox())
        : await webKitVisitor(await programs.screen())
    await use(visitor)
    await visitor.close()
  },

  app: async ({ visitor, baseURL }, use) => {
    await use(new AppPage(visitor, baseURL ?? ''))
  },
})

export { expect } from '@playwright/test'
