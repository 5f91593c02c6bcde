// The masks of an encoder–decoder, read from its run.
import { resource } from '../../session/resource.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../body'
import { Publication, type Headline } from '../output'
import { t } from './messages.en'
import { drawMasks, panesOf, type Masks } from './picture'

export default viewBody(
  {},
  {
    messages: t,
    data: (inputs) =>
      resource(inputs.bench.engine, 'masks', () => {
        const { run } = inputs
        const pair = run?.reading.pair
        return run && pair ? { params: { run: run.result.run }, run, pair } : undefined
      }),
    output({ palette, width, height }, resource) {
      const { latest } = resource
      if (!latest) return { note: resource.failure?.message ?? t().loading }
      const { run, pair } = latest.key
      const tokens = (ids: Uint32Array) => Array.from(ids, (id) => run.model.tokenizer.display(id))
      const masks: Masks = {
        masks: latest.value,
        tokens: { source: tokens(pair.source), text: tokens(pair.text) },
        palette,
      }
      return {
        scene: drawMasks(masks, width, Math.max(height, 220)),
        label: t().label,
        stale: resource.stale,
        published: Publication.from(latest.value, {
          headline: headlineOf(masks),
          tables: tablesOf(masks),
          subject: '',
        }),
      }
    },
  },
)

export function headlineOf({ masks }: Pick<Masks, 'masks'>): Headline {
  const visible = masks.decoder.reduce((sum, one) => sum + one, 0)
  return { title: t().headline(visible, masks.decoder.length), line: t().line(masks.source, masks.text) }
}

export const tablesOf = (masks: Pick<Masks, 'masks' | 'tokens'>): NamedTable[] =>
  panesOf(masks).map(({ name, mask, queries, keys }) =>
    namedTable(name, [t().corner, ...keys], queries, (token, query) => [
      token,
      ...mask.subarray(query * keys.length, (query + 1) * keys.length),
    ]),
  )
