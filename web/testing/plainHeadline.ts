import { plainText } from '../i18n/rich'
import type { Headline } from '../ui/table'

/** The words of a headline. */
export const plainHeadline = (headline: Headline | undefined) =>
  headline && { title: plainText(headline.title), line: plainText(headline.line) }
