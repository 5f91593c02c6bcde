// What the build tells the page (vite.config.ts).
interface ImportMetaEnv {
  /** Where the source code is kept; empty where that was not said. */
  readonly REPOSITORY: string
  /** The first page of the documentation beside the page. */
  readonly DOCS: string
  /** The archive of the source code beside the page; empty where it was built of files that git does not know. */
  readonly SOURCE: string
  /** The commit of the source code, with -dirty at its end if files were changed since; empty where git does not know it. */
  readonly COMMIT: string
  /** The year of that commit; empty likewise. */
  readonly YEAR: string
}

declare module 'virtual:bundled-facts' {
  /** By folder. */
  const facts: Readonly<Record<string, import('./services/bundled').BundledFacts>>
  export default facts
}
