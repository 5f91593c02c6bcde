import { afterAll, vi } from 'vitest'
import { switchLanguage } from './web/i18n/messages.svelte'

// Svelte reads the density of pixels from a window, which tests of pure models have not.
vi.mock('svelte/reactivity/window', (original) =>
  'window' in globalThis ? original() : { devicePixelRatio: { current: 1 } },
)

// Test files share their modules: each leaves the page in English.
afterAll(() => switchLanguage('en'))
