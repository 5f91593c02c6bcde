// The head on show as a snippet for another page.
import { weightsName } from '../../engine/protocol/folder'
import type { PartName } from '../../engine/protocol/parts'
import type { ModelSource, WeightFormat, WeightsChoice } from '../../engine/protocol/protocol'
import { notebookName } from '../../services/notebook'
import { readWithin } from '../../session/reading'
import type { Run } from '../../session/runs.svelte'
import { type Reading, joinPair, splitPair } from '../../text/reading'
import type { Cursor } from '../../viewstate/choice'

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
  /** The format that the visitor has chosen for the weights. */
  weights: WeightFormat | undefined
}

/** Why a run has no snippets: the package cannot open its model, or does not read its text. */
type Obstacle = 'random' | 'files' | 'words' | 'length' | 'text'

export function obstacleOf({
  model: { source, tokenizer, fullInfo },
  text,
  reading: { ids, pair },
}: Run): Obstacle | undefined {
  if (source.kind === 'files') {
    // Its weights are made by the page, and lie in no folder.
    if (source.name === notebookName) return 'random'
    // From an address the package reads one file of weights.
    if (!source.files.some(({ name }) => name === weightsName)) return 'files'
  }
  if (tokenizer.cutsWords) return 'words'
  const length = pair ? Math.max(pair.source.length, pair.text.length) : ids.length
  if (length > fullInfo.max_position_embeddings) return 'length'
  return text === '' ? 'text' : undefined
}

/** @param page the page's address */
export function embeddingOf(run: Run, { query, key }: Cursor, weights: WeightsChoice, page: string): Embedding {
  const { model, reading, head } = run
  return {
    scripts: new URL('embed/', page).href,
    model: modelOf(model.source),
    text: textRead(run),
    layer: head.layer,
    head: head.head,
    part: reading.pair?.part,
    query,
    key,
    weights: weights === 'auto' ? undefined : weights,
  }
}

/** The text as far as the page has read it: the package reads all of what it is given. */
function textRead({ model, text, reading }: Run): string {
  if (!reading.truncated) return text
  const upTo = ({ spans }: Pick<Reading, 'spans'>) => text.slice(0, Math.max(0, ...spans.map((span) => span?.end ?? 0)))
  const { pair } = reading
  if (!pair) return upTo(reading)
  // The longer of the two has as many tokens as the page reads of each.
  const limit = Math.max(pair.source.length, pair.text.length)
  const [source] = splitPair(upTo(readWithin(model, text, limit, 'encoder')))
  const [, after] = splitPair(upTo(readWithin(model, text, limit, 'decoder')))
  return joinPair(source, after)
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
export function scriptSnippet({ scripts, model, text, layer, head, part, weights }: Embedding): string {
  const [, hub] = /^hub:(.*)$/.exec(model) ?? []
  const source = hub === undefined ? literal(model) : `{ hub: ${literal(hub)} }`
  const isCross = part === 'cross'
  const place = [`layer: ${layer}`, `head: ${head}`, ...(part ? [`part: ${literal(part)}`] : [])].join(', ')
  return [
    `import { load } from ${literal(`${scripts}index.js`)}`,
    `const model = await load(${source}${weights ? `, { weights: ${literal(weights)} }` : ''})`,
    `const place = { ${place} }`,
    `const { tokens, weights${isCross ? ', source' : ''} } = await model.attention(${literal(text)}, place)`,
    // A canvas without a size is twice as wide as high.
    `const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 400 })`,
    `await model.paint(document.body.appendChild(canvas), place)`,
    // Of cross-attention the source's tokens are the keys, and those behind them the queries.
    `for (let query = ${isCross ? 'source' : '0'}; query < tokens.length; query++) {`,
    `  const row = weights.data.subarray(query * tokens.length).subarray(0, ${isCross ? 'source' : 'tokens.length'})`,
    `  const most = Math.max(...row)`,
    '  console.log(`${tokens[query]} ${query} → ${tokens[row.indexOf(most)]} ${row.indexOf(most)}: ${most}`)',
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
export function packedBytes(sizes: Sizes): { engine: number; element: number; shaders: number } {
  const of = (names: readonly string[]) => names.reduce((sum, name) => sum + (sizes[name] ?? 0), 0)
  return { engine: of(engine), element: of(['element.js']), shaders: of(['shaders.wgsl']) }
}
