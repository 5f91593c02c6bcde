import { defineConfig } from '@playwright/test'
import { chromium, webgpu, withoutGpu } from './tests/browser/chromium'
import type { Options } from './tests/browser/explorer'
import type { OtherBrowser } from './tests/browser/firefoxAndWebKit/test'

const port = Number(process.env['PAGE_PORT'] ?? 4173)
const ci = Boolean(process.env['CI'])
const xtask = process.env['XTASK'] ?? 'cargo xtask'

const otherBrowsers = '**/firefoxAndWebKit/*.spec.ts'

/**
 * Tests tagged @cpu or @webgpu run on that backend alone, others on both; @firefox in that browser alone. Tests of the page without its
 * engine are @cpu: it takes a third of the time.
 */
export default defineConfig<Options & OtherBrowser>({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  reporter: [['list'], ...(ci ? [['github'] as ['github']] : []), ['./tests/browser/failures.ts']],
  // A shared machine may stall a browser: a test that passes at the second try is reported as flaky.
  retries: ci ? 1 : 0,
  forbidOnly: true,
  // SwiftShader compiles shaders on one core, most of a test's time.
  workers: 2,
  timeout: 120_000,
  globalTimeout: 45 * 60_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL: `http://localhost:${port}/`,
    viewport: { width: 1280, height: 900 },
    actionTimeout: 20_000,
    // Playwright does not see responses of a service worker: only its own tests have one.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: chromium(webgpu),
  },
  projects: [
    { name: 'webgpu', use: { backend: 'gpu', reuseContext: true }, grepInvert: /@cpu/, testIgnore: otherBrowsers },
    {
      name: 'cpu',
      use: { backend: 'cpu', reuseContext: true, launchOptions: chromium(withoutGpu) },
      grepInvert: /@webgpu/,
      testIgnore: otherBrowsers,
    },
    { name: 'firefox', use: { browserEngine: 'firefox' }, testMatch: otherBrowsers },
    { name: 'webkit', use: { browserEngine: 'webkit' }, grepInvert: /@firefox/, testMatch: otherBrowsers },
  ],
  webServer: {
    command: `${xtask} start --no-build --port ${port}`,
    url: `http://localhost:${port}/`,
    reuseExistingServer: false,
    stdout: 'ignore',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 2000 },
  },
})
