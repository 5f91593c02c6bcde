import type { Browser } from 'puppeteer-core'
import { test as base } from '../packed'
import { firefoxVisitor, startFirefox } from './firefox'
import { ShownPage, type Visitor } from './visitor'
import { startWebKit, webKitVisitor, type WebKit } from './webkit'

export type BrowserEngine = 'firefox' | 'webkit'

export interface OtherBrowser {
  browserEngine: BrowserEngine
}

interface Fixtures {
  visitor: Visitor
  shown: ShownPage
}

interface Programs {
  programs: { firefox: () => Promise<Browser>; webkit: () => Promise<WebKit> }
}

/** Tests that drive Firefox or WebKit. No browser of Playwright's is started. */
export const test = base.extend<OtherBrowser & Fixtures, Programs>({
  browserEngine: ['firefox', { option: true }],

  programs: [
    async ({}, use) => {
      let firefox: Promise<Browser> | undefined
      let webkit: Promise<WebKit> | undefined
      await use({ firefox: () => (firefox ??= startFirefox()), webkit: () => (webkit ??= startWebKit()) })
      await (await firefox)?.close()
      await (await webkit)?.close()
    },
    { scope: 'worker' },
  ],

  visitor: async ({ programs, browserEngine }, use) => {
    const visitor =
      browserEngine === 'firefox'
        ? await firefoxVisitor(await programs.firefox())
        : await webKitVisitor(await programs.webkit())
    await use(visitor)
    await visitor.close()
  },

  shown: async ({ visitor, baseURL }, use) => {
    await use(new ShownPage(visitor, baseURL ?? ''))
  },
})

export { expect } from '@playwright/test'
