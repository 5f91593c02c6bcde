// The head on show as a snippet for another page.
import type { PartName } from '../../engine/protocol/parts'
import type { ModelSource } from '../../engine/protocol/protocol'
import type { Run } from '../../session/runs.svelte'
import type { Cursor } from '../../viewstate/clamp'

/** What a snippet says. */
export interface Embedding {
  /** The folder of the scripts, its slash included. */
  scripts: string
  /** As the package takes it: a folder's address, or `hub:owner/name@revision`. */
  model: string
  text: string
  layer: number
  head: number
  part: PartName | undefined
  /** The selected cell. */
  query: number
  key: number
}

/** @param page the page's address */
export function embeddingOf({ model, text, reading, head }: Run, { query, key }: Cursor, page: string): Embedding {
  return {
    scripts: new URL('embed/', page).href,
    model: modelOf(model.source),
    text,
    layer: head.layer,
    head: head.head,
    part: reading.pair?.part,
    query,
    key,
  }
}

/** The visitor's own files have no address: their folder lies beside the other page. */
function modelOf(source: ModelSource): string {
  switch (source.kind) {
    case 'url':
      return source.base
    case 'hub':
      return `hub:${source.name}@${source.revision}`
    case 'files':
      return `models/${encodeURIComponent(source.name)}/`
  }
}

/** An element of HTML, with the script that draws it. */
export function elementSnippet({ scripts, ...attributes }: Embedding): string {
  const lines = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name}="${attribute(String(value))}"`],
  )
  return [
    `<script type="module" src="${attribute(`${scripts}element.js`)}"></script>`,
    '<rope-attention',
    ...lines,
    '></rope-attention>',
  ].join('\n')
}

/** The same map on a canvas, and the strongest key of each query in the console: the text of a module. */
export function scriptSnippet({ scripts, model, text, layer, head, part }: Embedding): string {
  const [, hub] = /^hub:(.*)$/.exec(model) ?? []
  const place = [`layer: ${layer}`, `head: ${head}`, ...(part ? [`part: ${literal(part)}`] : [])].join(', ')
  return [
    `import { load } from ${literal(`${scripts}index.js`)}`,
    `const model = await load(${hub === undefined ? literal(model) : `{ hub: ${literal(hub)} }`})`,
    `const place = { ${place} }`,
    `const { tokens, weights } = await model.attention(${literal(text)}, place)`,
    `await model.paint(document.body.appendChild(document.createElement('canvas')), place)`,
    `for (const [query, token] of tokens.entries()) {`,
    `  const row = weights.data.subarray(query * tokens.length, (query + 1) * tokens.length)`,
    `  const most = Math.max(...row)`,
    '  console.log(`${token} ${query} → ${tokens[row.indexOf(most)]} ${row.indexOf(most)}: ${most}`)',
    `}`,
  ].join('\n')
}

/** Within quotation marks. Line breaks would be read as they are, and tabs part a source from its text. */
const attribute = (value: string): string =>
  value.replaceAll(/[&"<>\t\n\r]/g, (letter) => `&#${letter.codePointAt(0) ?? 0};`)

/** As JavaScript writes it, also within an element of HTML, which "</script" would end. */
const literal = (value: string): string =>
  `'${JSON.stringify(value)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll(/[<\u2028\u2029]/g, (letter) => `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)}'`

/** Packed bytes of the files in the folder of the scripts, by name. */
export type Sizes = Readonly<Record<string, number>>

const engine = ['index.js', 'worker.js', 'ropescope_bg.wasm']

/** Packed bytes of what a page fetches: the engine, the element besides, and shaders where there is WebGPU. */
export function weighed(sizes: Sizes): { engine: number; element: number; shaders: number } {
  const of = (names: readonly string[]) => names.reduce((sum, name) => sum + (sizes[name] ?? 0), 0)
  return { engine: of(engine), element: of(['element.js']), shaders: of(['shaders.wgsl']) }
}
