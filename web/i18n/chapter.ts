import type { Sentence } from './rich'

/** What a chapter of Read says. */
export interface ChapterWords {
  name: string
  /** What it asks and answers. */
  question: string
  text: readonly Sentence[]
  guess: { question: string; answers: readonly string[]; because: string }
  /** What its links set, in the order of `web/pages/read/chapters.ts`. */
  tries: readonly string[]
  /** What its figure does not show. */
  not: Sentence
  sources: Sentence
}
