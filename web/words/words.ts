// The page's words. English is complete and says what every other language has to have.
import { en } from './en/index'

export type Words = typeof en

/** The words of the visitor's language. */
export const words: Words = en
