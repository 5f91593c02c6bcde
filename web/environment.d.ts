// What the build tells the page (vite.config.ts).
interface ImportMetaEnv {
  /** Where the source code is kept; empty where that was not said. */
  readonly REPOSITORY: string
}
