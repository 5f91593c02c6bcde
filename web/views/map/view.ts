// The selected head's map.
import { t } from '../../charts/attention-map/messages.en'
import { pictureWithReading } from '../../charts/attention-map/draw'
import { drawFigure } from '../../charts/attention-map/figure'
import { weightScales } from '../../charts/attention-map/paint'
import { ramp } from '../../charts/colour'
import { kindOf, kinds, kindsOf, means, type Mean } from '../../charts/attention-map/model'
import type { MapState } from '../../charts/attention-map/mapState.svelte'
import { isWeighing, type ModelInfo } from '../../engine/protocol/protocol'
import { diverging, sequential } from '../../styles/colours'
import { headName } from '../../i18n/numbers'
import type { HeadPlace } from '../../viewstate/choice'
import { viewBody } from '../body'
import { Publication, type Output, type PanelRow } from '../output'
import { turns } from '../view'
import { params, type MapParams } from '.'
import { MapData } from './data.svelte'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  data: (inputs) => new MapData(inputs),
  output({ bench, params }, data) {
    const { head, state } = data
    const { x, y, stacked } = state.arranged.reading
    return {
      scene: pictureWithReading(state.picture, { x, y, stacked, bar: state.bar, text: state.reading }),
      label: head && t().label(head),
      help: head && t().helpOf(state.kind, state.isLinear),
      source:
        head &&
        t().sourceOf(state.kind, {
          isLinear: state.isLinear,
          isMean: params.mean !== 'head',
          rotates: turns(head.run.model.info),
        }),
      anchors: anchorsOf(state),
      stale: data.stale,
      tools: toolsOf(params, data, bench.head, bench.run?.model.info ?? {}),
      published: head && Publication.from(head, data.published),
    }
  },
  figure: ({ width, height, scheme, palette }, { head, state }, crosshair) => {
    const { map, scale, isSigned } = state
    const table = isSigned || !palette ? ramp((isSigned ? diverging : sequential)[scheme]) : palette
    return (
      head && drawFigure({ map, scale, palette: table, selected: crosshair ? state.selected : null, width, height })
    )
  },
  component: View,
})

/** All cells, the selected row, and its selected cell. */
function anchorsOf({ arranged: { grid }, part, selected }: MapState): Output['anchors'] {
  const { x, y, width, height, pitch } = grid
  const all = { x, y, width, height }
  const [row, column] = selected ? [selected.query - part.query, selected.key - part.key] : [-1, -1]
  const isIn = (at: number, count: number) => at >= 0 && at < count
  if (!isIn(row, part.queries) || !isIn(column, part.keys)) return { all }
  const top = y + row * pitch
  return {
    all,
    row: { x, y: top, width, height: pitch },
    cell: { x: x + column * pitch, y: top, width: pitch, height: pitch },
  }
}

/** What the map is of, and how it is coloured. */
function toolsOf(
  params: MapParams,
  { state }: MapData,
  place: HeadPlace,
  model: Pick<ModelInfo, 'adds_positions'>,
): PanelRow<MapParams> {
  const { mean, kind, special, scale } = t()
  const textOf = (of: Mean) => (of === 'head' ? headName(place) : mean[of])
  const select = { kind: 'select', labelled: false } as const
  return [
    { ...select, param: 'mean', label: mean.name, options: means.map((value) => ({ value, text: textOf(value) })) },
    {
      ...select,
      label: kind.name,
      value: kindOf(params, model),
      options: kindsOf(model).map((value) => ({
        value,
        text: kind[value],
        disabled: params.mean !== 'head' && !isWeighing(value),
      })),
      to: (value: string) => ({ params: { kind: kinds.find((kind) => kind === value) ?? 'weight' } }),
    },
    {
      ...select,
      param: 'special',
      label: special.name,
      options: (['show', 'hide'] as const).map((value) => ({ value, text: special[value] })),
    },
    !state.isSigned && {
      ...select,
      param: 'scale',
      label: scale.name,
      options: weightScales.map((value) => ({ value, text: scale[value] })),
    },
  ]
}
