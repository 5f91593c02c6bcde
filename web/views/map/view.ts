// The selected head's map.
import { t } from '../../charts/attention-map/messages.en'
import { pictureWithReading } from '../../charts/attention-map/draw'
import { viewBody } from '../body'
import { Publication } from '../output'
import { params } from '.'
import { MapData } from './mapData.svelte'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  data: (inputs) => new MapData(inputs),
  output(_, data) {
    const { head, state } = data
    const { x, y, stacked } = state.arranged.reading
    return {
      scene: pictureWithReading(state.picture, { x, y, stacked, bar: state.bar, text: state.reading }),
      label: head && t().label(head),
      stale: data.stale,
      published: head && Publication.from(head, data.published),
    }
  },
  component: View,
})
