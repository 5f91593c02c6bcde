// The patterns of heads by the literature's names, with plain ones.
import { messages } from '../../i18n/messages.svelte'
import { integer, plural } from '../../i18n/numbers'
import type { PatternKind } from './headPatterns'

export interface PatternName {
  /** As papers name it. */
  name: string
  plain: string
  /** Where the weight goes. */
  means: string
}

const patterns: Readonly<Record<PatternKind, PatternName>> = {
  previous: { name: 'Previous-token', plain: 'one back', means: 'weight on the token before' },
  next: { name: 'Next-token', plain: 'one ahead', means: 'weight on the token after' },
  first: { name: 'Attention sink', plain: 'first token', means: 'weight on the first token of the text' },
  induction: {
    name: 'Induction',
    plain: 'followed it before',
    means: 'weight on the token after an earlier occurrence of the same token',
  },
  repeated: {
    name: 'Duplicate-token',
    plain: 'same word',
    means: 'weight on other occurrences of the same token',
  },
  same: { name: 'Self', plain: 'itself', means: 'weight on the token itself' },
  special: { name: 'Special tokens', plain: 'specials', means: 'weight on special tokens, such as [CLS]' },
}

const tokens = (count: number) => `${integer(count)} ${plural(count, { one: 'token', other: 'tokens' })}`

const en = {
  title: 'Head patterns',
  measure: 'mean weight on this text',
  patterns,
  head: 'head',
  weight: 'weight',
  tokens,
  /** Of a row. */
  hint: ({ means }: PatternName, queries: number) => `Strongest head: ${means}, mean over ${tokens(queries)}`,
  bookHint: ({ means }: PatternName, book: string) => `Strongest head: ${means}, mean over all tokens of ${book}`,
  overBook: (book: string) => `mean over all tokens of ${book}`,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./headPatterns.{ko,hu}.ts'))
