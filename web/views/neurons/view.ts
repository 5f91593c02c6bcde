// Neurons of a feed-forward network: the strongest at a token, and one of them at all tokens, with switches.
import { clampIndex } from '../../engine/protocol/range'
import type { NeuronNumbers } from '../../engine/protocol/neurons'
import { signed, tokenName } from '../../i18n/numbers'
import { number, type Token } from '../../i18n/rich'
import { runOf } from '../../session/reading'
import { newest, resource } from '../../session/resource.svelte'
import { walkRow } from '../../ui/walk'
import type { ParamsOf } from '../../viewstate/fields'
import { neuronsCommand } from '../command'
import type { Inputs } from '../module'
import { Output, type PanelRow, type Target } from '../output'
import type { params } from '.'
import { firstToken, drawNeurons, layOut, placeAt } from './picture'
import { t } from './messages.en'
import { barsOf, wordsOf } from './rows'
import { offIn, siteOfNeuron, strongestToken, subjectOf, type Answers, type Subject } from './subject'
import { changeRow, switchesOf } from './switches'
import { tablesOf } from './tables'

type Params = ParamsOf<typeof params>

export { t as messages }

/** How many of the strongest neurons are asked for: the engine's most. */
const mostNeurons = 256
/** How many tokens of each list that a neuron reads or writes. */
const mostTokens = 10

export function data(inputs: Inputs<Params>) {
  const { engine } = inputs.bench
  const subject = () => inputs.run && subjectOf(inputs.run, inputs.cursor)
  const strongest = resource(engine, 'neurons', () => {
    const of = subject()
    if (!of) return undefined
    const { run, layer, query, from } = of
    return { model: run.model, params: { ...runOf(run), layer, row: query - from, count: mostNeurons }, of }
  })
  const neuron = (run: Subject['run']) =>
    inputs.params.neuron < 0
      ? strongest.current?.[0]?.neuron
      : clampIndex(inputs.params.neuron, run.model.info.intermediate_size)
  const one = resource(engine, 'neuron', () => {
    const of = subject()
    const selected = of && neuron(of.run)
    if (!of || selected === undefined) return undefined
    return { model: of.run.model, params: { ...runOf(of.run), layer: of.layer, neuron: selected, count: mostTokens } }
  })
  const answers = newest((): Answers | undefined => {
    const of = subject()
    const [list, ofText] = [strongest.current, one.current]
    const selected = of && neuron(of.run)
    return of && list && ofText && selected !== undefined
      ? { ...of, strongest: list, neuron: selected, ofText }
      : undefined
  })
  return {
    get answers() {
      return answers.value
    },
    get stale() {
      return answers.stale
    },
    get failure() {
      return strongest.failure ?? one.failure
    },
  }
}

type Data = ReturnType<typeof data>

export function output(inputs: Inputs<Params>, { answers, stale, failure }: Data): Output<Params> {
  if (!answers) return Output.message(failure?.message ?? t().loading)
  const { width, height, scheme, params } = inputs
  const { run, layer, query, from, to, strongest, neuron, ofText } = answers
  const { info } = run.model
  const { values } = ofText
  const token = (position: number): Token => ({ text: run.reading.display[position] ?? '', position })
  const name = (position: number) => tokenName(token(position).text, position)
  const words = wordsOf(answers)
  const layout = layOut({ width, height }, { neurons: strongest.length, tokens: to - from, lists: words.length })
  const first = from + firstToken(query - from, layout.rows.tokens, to - from)
  const { list, bars } = barsOf(answers, layout.rows.neurons)
  const tokenRows = Array.from({ length: layout.rows.tokens }, (_, at) => {
    const value = values[first + at - from] ?? 0
    return { name: name(first + at), value, numbers: [signed(value)], isSelected: first + at === query }
  })
  const strip = layout.strip
    ? { values, first: first - from, count: layout.rows.tokens, selected: query - from, scheme }
    : undefined
  const scene = drawNeurons(
    layout,
    {
      neurons: bars,
      tokens: { title: t().atTokens(neuron), columns: [t().columns.value], rows: tokenRows, tone: 'query' },
      strip,
      words,
    },
    width,
  )
  const select = (selected: Pick<NeuronNumbers, 'neuron' | 'value'> | undefined): Target<Params> | undefined =>
    selected && { params: { neuron: selected.neuron }, say: t().moved(selected.neuron, selected.value) }
  const selectToken = (row: number | undefined): Target<Params> | undefined =>
    row === undefined
      ? undefined
      : { cursor: { query: from + row }, say: t().movedTo(name(from + row), values[row] ?? 0) }
  const site = siteOfNeuron('ffn.N', answers, query, neuron)
  return Output.of(run, {
    scene,
    label: t().label(layer, name(query), neuron),
    stale,
    failure: failure?.message,
    above: [
      [
        {
          kind: 'number',
          label: t().number,
          value: neuron,
          min: 0,
          max: info.intermediate_size - 1,
          to: (typed) =>
            Number.isInteger(typed) ? { params: { neuron: clampIndex(typed, info.intermediate_size) } } : undefined,
        },
        {
          kind: 'buttons',
          label: t().number,
          buttons: [{ label: t().strongestOne, pressed: params.neuron < 0, to: { params: { neuron: -1 } } }],
        },
        ...switchesOf(inputs, answers),
      ],
      changeRow(inputs, answers),
    ],
    below: [notesOf(answers)],
    explains: site,
    published: {
      headline: headlineOf(answers, token),
      tables: tablesOf(answers),
      command: neuronsCommand(run, layer, query - from),
      subject: `layer-${layer}-neuron-${neuron}`,
    },
    hit(x, y) {
      const place = placeAt(layout, x, y)
      if (!place) return undefined
      if ('neuron' in place) return select(list[place.neuron])
      return selectToken('token' in place ? first - from + place.token : Math.floor(place.part * values.length))
    },
    onAction(action) {
      if (action === 'left' || action === 'right') return selectToken(walkRow(query - from, action, to - from - 1))
      const at = list.findIndex((one) => one.neuron === neuron)
      return select(list[walkRow(Math.max(0, at), action, list.length - 1) ?? -1])
    },
  })
}

function notesOf({ ofText: { writes }, strongest, part }: Answers): PanelRow<Params> {
  const missing = t().noWrites[part === 'encoder' ? 'encoder' : 'none']
  const isGated = strongest.some(({ gate }) => gate !== null)
  const text = [
    t().columnsNote(isGated),
    t().byWeights,
    writes === null ? missing : writes.skips_head ? t().skipsHead : '',
  ]
    .join(' ')
    .trim()
  return [{ kind: 'text', name: 'notes', text }]
}

function headlineOf(answers: Answers, token: (position: number) => Token) {
  const { layer, neuron, query, from, strongest, ofText } = answers
  const at = (position: number) =>
    number(signed(ofText.values[position - from] ?? 0), siteOfNeuron('ffn.N', answers, position, neuron))
  const best = strongestToken(ofText.values)
  const off = offIn(answers, neuron)
  const [first] = strongest
  const title =
    off !== 'none'
      ? t().offHeadline[off](neuron, layer)
      : best === undefined
        ? t().zero(neuron, layer)
        : t().headline(neuron, layer, token(from + best), at(from + best))
  const line =
    !first || off === 'network'
      ? ''
      : first.neuron === neuron
        ? t().isStrongest(token(query), at(query))
        : t().line(
            token(query),
            at(query),
            first.neuron,
            number(signed(first.value), siteOfNeuron('ffn.N', answers, query, first.neuron)),
          )
  return { title, line }
}
