// Markdown of the pages that are generated from the code.

/** A table. Its cells are Markdown; bars and line breaks in them are escaped. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(header), `|${' --- |'.repeat(header.length)}`, ...rows.map(line)].join('\n')
}

const cell = (text: string) => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')

/** A text as the code writes it; nothing for an empty one. */
export const code = (text: string): string => (text === '' ? '' : `\`${text}\``)

/** A page: its parts with an empty line between them. */
export const page = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`

/** What a page that differs from its source says, as the message of the assertion. */
export const renewed = 'the page is older than the code; to renew it: npx vitest run docs -u'
