// The numbers of a step as tables.
import { namedTable, type NamedTable } from '../../ui/table'
import { siteOfCell } from '../sites'
import { t } from './messages.en'
import { strongest } from './scenes/feedForward'
import { guesses } from './scenes/guess'
import { turningPairs } from './scenes/rotation'
import type { SceneInputs } from './scenes/scene'
import { rankedKeys } from './scenes/scores'
import { steps, type Step } from './steps'
import { sitesOf } from './subject'
import type { Tower } from './tower'

export function tablesOf(
  step: Step,
  inputs: Pick<SceneInputs, 'subject' | 'numbers' | 'lens'>,
  tower: Tower | undefined,
): NamedTable[] {
  const { subject, numbers } = inputs
  const { columns } = t()
  const sites = sitesOf(subject, step)
  const name = t().titles(subject.rotates)[steps.indexOf(step)] ?? ''
  const { display, ids } = subject.run.reading
  switch (step) {
    case 'rotation':
      if (subject.rotates)
        return [
          namedTable(
            name,
            ['pair', 'θ', columns.query, columns.key],
            turningPairs(subject),
            ({ pair, theta, query, key }) => [pair, theta, query.length, key.length],
          ),
        ]
      break
    case 'scores':
    case 'weights':
    case 'values':
      return [
        namedTable(
          name,
          [columns.token, columns.place, columns.score, columns.weight],
          rankedKeys(subject),
          ({ key, score, weight }) => [display[key] ?? '', key, score, weight],
          ({ key }, column) => {
            const tensor = column === 2 ? 'layer.N.score' : column === 3 ? 'attentions.N' : undefined
            return tensor && siteOfCell(tensor, { ...subject, key }, subject.run)
          },
        ),
      ]
    case 'feedForward':
      return [
        namedTable(
          name,
          [columns.neuron, columns.inner, columns.activated],
          strongest(numbers.activated?.values ?? new Float32Array(), 20),
          ({ neuron, value }) => [neuron, numbers.inner?.values[neuron] ?? '', value],
          ({ neuron }, column) => {
            const of = column === 1 ? sites['inner'] : column === 2 ? sites['activated'] : undefined
            return of?.replace('*', String(neuron))
          },
        ),
      ]
    case 'guess': {
      const found = guesses(inputs)
      return [
        namedTable(
          name,
          [columns.layer, columns.attention, columns.feedForward, columns.guess],
          tower?.columnOf(subject.query) ?? [],
          ({ attention, feedForward }, layer) => [layer, attention, feedForward, found[layer + 1]?.token ?? ''],
        ),
      ]
    }
  }
  return [
    namedTable(name, [columns.token, columns.place, columns.id], display, (token, position) => [
      token,
      position,
      ids[position] ?? '',
    ]),
  ]
}
