import { defineConfig } from 'vite'

export default defineConfig({
  // The worker fetches some of its code when it needs it.
  worker: { format: 'es' },
  // While developing, the package's files stay beside each other.
  optimizeDeps: { exclude: ['ropescope'] },
})
