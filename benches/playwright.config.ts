import { defineConfig } from '@playwright/test'
import { chromium, webgpu } from '../tests/browser/chromium'

const measured = process.env['BENCH_BUSY']
  ? /beside\.bench\.ts$/
  : process.env['BENCH_PEERS']
    ? /(beside|peers|decode)\.bench\.ts$/
    : /(?<!peers|decode)\.bench\.ts$/

/** Measurements in the browser; `cargo xtask bench` runs them, with servers for the repository and the built page. */
export default defineConfig({
  testDir: 'browser',
  testMatch: measured,
  outputDir: '../test-results/benches',
  reporter: [['./browser/reporter.ts']],
  workers: 1,
  timeout: 30 * 60_000,
  use: {
    launchOptions: chromium(
      process.env['BENCH_HARDWARE'] ? ['--enable-unsafe-webgpu', '--enable-features=Vulkan'] : webgpu,
    ),
  },
})
