// What flows through the layers: the map of rollout, the origins of one token, norms by layer, outputs of all heads.
import { headName } from '../../i18n/numbers'
import { sourceOf } from '../../engine/protocol/parts'
import { runOf } from '../../session/reading'
import { resource } from '../../session/resource.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Action } from '../../ui/keys'
import { walkCell, walkRow } from '../../ui/walk'
import type { Inputs } from '../module'
import { runCommand } from '../command'
import { Output, type Headline, type Target } from '../output'
import {
  byLayer,
  fromToken,
  largestAt,
  longestFlow,
  origins,
  drawFlow,
  hitAt,
  layOut,
  tokenName,
  type FlowPicture,
} from './picture'
import { clampIndex } from '../../engine/protocol/range'
import type { QueryAndKey } from '../../viewstate/choice'
import { t } from './messages.en'

export { t as messages }

export const data = (inputs: Inputs) =>
  resource(inputs.bench.engine, 'flow', () => {
    const { run } = inputs
    if (!run || run.head.length === 0 || run.head.length > longestFlow) return undefined
    return { model: run.model, params: runOf(run), run }
  })

type Data = ReturnType<typeof data>

export function output({ run, bench, cursor, palette, width, height }: Inputs, resource: Data) {
  const tokens = run?.head.length ?? 0
  if (tokens > longestFlow) return Output.message(t().tooLong(longestFlow, tokens))
  const { latest } = resource
  if (!latest) return Output.message(resource.failure?.message ?? t().loading)

  const { request, value } = latest
  const source = sourceOf(request.run.reading.pair)
  const first = source ?? 0
  const flow = fromToken(value, first)
  const { length, rollout } = flow
  const query = clampIndex(cursor.query - first, length)
  const key = source === undefined ? clampIndex(cursor.key - first, length) : undefined
  const { layer, head } = bench.head
  const picture: FlowPicture = {
    flow,
    tokens: request.run.reading.display.slice(first),
    first,
    query,
    key,
    head: { layer, head },
    palette,
  }
  const layout = layOut(width, Math.max(height, 280), length)
  const name = (position: number) => tokenName(picture, position)
  const select = (query: number, key: number): Target => ({
    cursor: source === undefined ? { query, key } : { query: first + query },
    say: t().moved(name(query), name(key), rollout[query * length + key] ?? 0),
  })
  return Output.of(request.run, {
    scene: drawFlow(picture, layout),
    label: t().label(name(query), source !== undefined),
    published: {
      headline: headlineOf(picture),
      tables: tablesOf(picture),
      subject: '',
      command: runCommand(request.run, ['attentions', 'hidden_states', 'written']),
    },
    hit: (x, y) => {
      const hit = hitAt(x, y, layout, flow)
      if (!hit) return undefined
      if ('query' in hit) return select(hit.query, hit.key)
      if ('layer' in hit) return { cursor: hit, say: t().movedHead(hit) }
      const origin = origins(flow, query)[hit.row]
      return origin && select(query, origin.position)
    },
    onAction: (action) => {
      const to = cellAfter(picture, action)
      return to && select(to.query, to.key)
    },
  })
}

/** Where an action leads: in cross-attention, whose keys are not in the map, to a row and its largest origin. */
export function cellAfter(
  { flow, query, key }: Pick<FlowPicture, 'flow' | 'query' | 'key'>,
  action: Action,
): QueryAndKey | undefined {
  const { length } = flow
  if (key !== undefined) return walkCell({ query, key }, action, { queries: length, keys: length })
  const to = walkRow(query, action, length - 1)
  return to === undefined ? undefined : { query: to, key: origins(flow, to)[0]?.position ?? to }
}

/** @param heads how many a layer has */
const headAt = (index: number, heads: number) => ({ layer: Math.floor(index / heads), head: index % heads })

export function headlineOf(picture: FlowPicture): Headline {
  const { flow, query, tokens, first } = picture
  const token = (at: number) => ({ text: tokens[at] ?? '', position: first + at })
  const from = origins(flow, query)
  const own = from.find(({ position }) => position === query)
  const other = from.find(({ position }) => position !== query)
  const title =
    own && other && other.part > 0
      ? t().headline(token(query), own.part, token(other.position), other.part)
      : t().alone(token(query))
  const norms = byLayer(flow.residual, flow.length, query).one
  const change = byLayer(flow.change, flow.length, query).one
  const layer = largestAt(change)
  const most = headName(headAt(largestAt(flow.outputs), flow.heads))
  return { title, line: t().line(norms[0] ?? 0, norms.at(-1) ?? 0, layer, change[layer] ?? 0, most) }
}

export function tablesOf(picture: FlowPicture): NamedTable[] {
  const { length, rollout, residual, change, outputs, layers, heads } = picture.flow
  const all = Array.from({ length }, (_, position) => tokenName(picture, position))
  return [
    namedTable(t().tables.rollout, [t().corner, ...all], all, (name, query) => [
      name,
      ...rollout.subarray(query * length, (query + 1) * length),
    ]),
    namedTable(t().tables.norms, t().normColumns, { length: (layers + 1) * length }, (_, index) => [
      Math.floor(index / length),
      all[index % length] ?? '',
      residual[index] ?? 0,
      change[index - length] ?? '',
    ]),
    namedTable(t().tables.heads, t().headColumns, outputs, (norm, index) => [headAt(index, heads), norm]),
  ]
}
