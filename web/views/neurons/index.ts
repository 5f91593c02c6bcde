import { integer } from '../../viewstate/fields'
import { defineView } from '../view'

export const params = {
  /** The selected neuron; −1: the strongest at the query. */
  neuron: integer('neuron', -1, -1, 999_999),
}

export const neurons = defineView({
  id: 'neurons',
  order: 79,
  station: 'feedForward',
  tab: { en: 'Neurons', ko: '뉴런', hu: 'Neuronok' },
  title: {
    en: 'Neurons of the feed-forward network',
    ko: '피드포워드 네트워크의 뉴런',
    hu: 'Az előrecsatolt háló neuronjai',
  },
  shape: 'wide',
  minWidth: 320,
  params,
  keyHelp: {
    en: {
      across: 'the previous or next token as query',
      along: 'the previous or next neuron of the list',
      ends: 'its first or last neuron',
      pages: 'ten neurons back or on',
    },
    ko: {
      across: '토큰 하나 앞, 뒤를 쿼리로',
      along: '목록에서 뉴런 하나 앞, 뒤로',
      ends: '목록의 첫 뉴런, 마지막 뉴런',
      pages: '뉴런 열 개 앞, 뒤로',
    },
    hu: {
      across: 'az előző vagy következő token a lekérdezés',
      along: 'a lista előző vagy következő neuronja',
      ends: 'az első vagy az utolsó neuron',
      pages: 'tíz neuronnal vissza vagy tovább',
    },
  },
  module: () => import('./view'),
})
