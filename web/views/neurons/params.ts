import { integer } from '../../viewstate/fields'

export const params = {
  /** The selected neuron; −1: the strongest at the query. */
  neuron: integer('neuron', -1, -1, 999_999),
}
