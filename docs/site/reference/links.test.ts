// docs/reference/links.md, from the fields of the state and of every view.
import { existsSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { figures, readPage } from '../../../web/pages/read/chapters'
import { headGridParams } from '../../../web/pages/explorer/headGrid'
import { views } from '../../../web/views'
import { titleOf, type View, type WithParams } from '../../../web/views/view'
import { fields, longestLinkedText } from '../../../web/viewstate/codec'
import type { Field } from '../../../web/viewstate/fields'
import { commentsOfInterface, commentsOfParams } from './comments'
import { code, page, renewed, table } from './markdown'
import { defaultOf, valuesOf } from './values'

const header = ['name', 'meaning', 'values', 'default']

/** A row for each field; a field without a doc comment fails. */
function rowsOf(named: Readonly<Record<string, Field<unknown>>>, comments: Map<string, string>, prefix = '') {
  return Object.entries(named).map(([key, field]) => {
    const meaning = comments.get(key) ?? ''
    expect(meaning, `${prefix}${field.name} needs a doc comment`).not.toBe('')
    return [code(`${prefix}${field.name}`), meaning.replace(/\bnull\b/g, '`none`'), valuesOf(field), defaultOf(field)]
  })
}

function paramsOf({ id, params = {} }: WithParams, path: string): string[][] {
  return rowsOf(params, commentsOfParams(path, id), `${id}.`)
}

const declarations = ['web/views', 'web/figures']
  .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}/index.ts`))
  .filter((path) => existsSync(path))

/** The file that declares a view or a figure. */
const fileOf = ({ id }: View) => declarations.find((path) => commentsOfParams(path, id).size > 0) ?? ''

const section = (view: View) => [`### ${titleOf(view)}`, table(header, paramsOf(view, fileOf(view)))]
const withParams = ({ params }: View) => Object.keys(params ?? {}).length > 0

it('the page of links lists every field with its values, default and meaning', async () => {
  const comments = new Map([
    ...commentsOfInterface('web/engine/protocol/generation.ts', 'Sampling'),
    ...commentsOfInterface('web/viewstate/choice.ts', 'Choice'),
  ])
  const { page: room, chapter, ...others } = fields
  const markdown = page([
    '# Links',
    'What the page shows is in its address: behind `#`, a path and then fields, as `#/explorer?model=roformer-english&layer=2&head=6`.',
    'Values are encoded as in a query string: a space is `+` or `%20`, `&` is `%26`, `+` is `%2B`, a tab `%09`. A text with a mask is `#/explorer?text=Salt+%26+[MASK].`. A source and a text are `#/explorer?model=marian-numbers&text=%3E%3Ehu%3C%3C1984%09ezer`.',
    `The path is the page: ${valuesOf(room)}. Behind \`read\` comes the chapter, as \`/read/5\`: ${valuesOf(chapter)}. The last one is the index of all figures.`,
    `A field that is missing or that cannot be read has its default. A number out of range becomes the nearest one that is allowed. The page always writes the model, the text, the head and the cursor. It writes other fields where they are not the default. It never writes the backend and the language, which the visitor chooses. Links to Read also have \`v=2\`. Links to it with fields but without this one open some figures as they were before they were redrawn. A text of more than ${longestLinkedText} characters is left out.`,
    'The defaults of `layer`, `head`, `query` and `key` are places in the default text. If a link has a text but neither `query` nor `key`, the page selects the strongest cell of the map.',
    `\`open\` takes the ids of at most three views: ${views.map(({ id }) => code(id)).join(', ')}.`,
    '## Fields of the page',
    table(header, rowsOf(others, comments)),
    '## Fields of the views',
    'A view keeps its own settings in fields that begin with its name.',
    ...views.filter(withParams).flatMap(section),
    '### The grid of all heads',
    table(header, paramsOf(headGridParams, 'web/pages/explorer/headGrid.ts')),
    '## Fields of Read',
    table(header, paramsOf(readPage, 'web/pages/read/chapters.ts')),
    ...figures.filter(withParams).flatMap(section),
  ])
  await expect(markdown, renewed).toMatchFileSnapshot('../../reference/links.md')
})
