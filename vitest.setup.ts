import { afterAll } from 'vitest'
import { switchLanguage } from './web/i18n/messages.svelte'

// Test files share their modules: each leaves the page in English.
afterAll(() => switchLanguage('en'))
