// Tokens as queries on the left and as keys on the right, with a line for every weight above a threshold.
import { viewBody } from '../body'
import { Output } from '../output'
import { params } from '.'
import { LinesData } from './data.svelte'
import { t } from './messages.en'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  data: (inputs) => new LinesData(inputs),
  output(_, data) {
    const { head, tokens } = data
    if (!head) return Output.note(undefined)
    return Output.of(head, {
      scene: { ...tokens, marks: [...data.curves, ...tokens.marks] },
      label: t().label(head.layer, head.head),
      published: data.published,
    })
  },
  figure: ({ width }, data, crosshair) => (data.map ? data.figure(width, crosshair) : undefined),
  component: View,
})
