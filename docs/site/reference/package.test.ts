// docs/reference/package.md, from the package's exports as TypeScript knows them.
import { expect, it } from 'vitest'
import { names as attributes } from '../../../web/package/element/attributes'
import { commentOfClass } from './comments'
import { PackageTypes, type Entry } from './packageTypes'
import { code, page, renewed, table } from './markdown'

const block = (text: string) => `\`\`\`ts\n${text}\n\`\`\``

it('the page of the package lists every export with its members and comments', async () => {
  const types = new PackageTypes('web/package/index.ts')
  const section = (entry: Entry): string[] => {
    const { name, comment, text, signatures, members } = entry
    const ofCall = (one: Entry) => [`### ${name}.${one.name}`, one.comment, block(one.signatures.join('\n'))]
    const calls = members.filter(({ signatures }) => signatures.length > 0 && entry.isValue)
    const others = members.filter((member) => !calls.includes(member))
    return [
      `## ${name}`,
      comment,
      text === '' ? '' : block(text),
      signatures.length > 0 ? block(signatures.map((one) => `${name}${one}`).join('\n')) : '',
      others.length > 0
        ? table(
            ['member', 'type', 'meaning'],
            others.map((member) => [
              code(member.name),
              code(member.text || member.signatures.join(' ')),
              member.comment,
            ]),
          )
        : '',
      ...calls.flatMap(ofCall),
    ]
  }
  const isFirst = ({ isValue, name }: Entry) => (name === 'load' ? 0 : isValue ? 1 : name === 'Questions' ? 3 : 2)
  const entries = types.entries.sort((one, other) => isFirst(one) - isFirst(other) || (one.name < other.name ? -1 : 1))
  const element = commentOfClass('web/package/element/ropeAttention.svelte.ts', 'RopeAttention')
  expect(element).not.toBe('')
  const markdown = page([
    '# The package',
    "This is what `import … from 'ropescope'` gives in a page, behind a bundler, or in Node. `index.d.ts` of the package has the types that are named here and not listed.",
    ...entries.flatMap(section),
    '## The element',
    "`import 'ropescope/element'` registers it.",
    element,
    `Its attributes: ${attributes.map(code).join(', ')}.`,
  ])
  await expect(markdown, renewed).toMatchFileSnapshot('../../reference/package.md')
})
