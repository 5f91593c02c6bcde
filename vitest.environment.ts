import type { Environment } from 'vitest/runtime'

/** Node, but with Svelte's code for the browser: on the server effects never run. */
const page: Environment = {
  name: 'page',
  viteEnvironment: 'client',
  setup: () => ({ teardown() {} }),
}

export default page
