// Tokens as queries on the left and as keys on the right, with a line for every weight above a threshold.
import { viewBody } from '../body'
import { Publication } from '../output'
import { params } from '.'
import { LinesData } from './data.svelte'
import { t } from './messages.en'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  data: (inputs) => new LinesData(inputs),
  output: (_, data) => ({
    scene: { ...data.tokens, marks: [...data.curves, ...data.tokens.marks] },
    label: data.head && t().label(data.head.layer, data.head.head),
    published: data.head && Publication.from(data.head, data.published),
  }),
  figure: ({ width }, data, crosshair) => (data.map ? data.figure(width, crosshair) : undefined),
  component: View,
})
