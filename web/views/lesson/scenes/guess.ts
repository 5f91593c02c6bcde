// What each layer adds to the stream of a token, and what the output head would guess after it.
import type { Mark } from '../../../charts/marks'
import { percent } from '../../../i18n/numbers'
import { t } from '../messages.en'
import { inTurn, title } from '../strips'
import type { Tower } from '../tower'
import type { SceneInputs, StepScene } from './scene'

const names = 92
const guessRoom = 150
const longest = 300

/** The guess after each layer, from the embeddings on; empty without an output head. */
export function guesses({
  lens,
  subject,
}: Pick<SceneInputs, 'lens' | 'subject'>): { id: number; token: string; part: number }[] {
  if (!lens) return []
  const count = lens.topIds.length / (lens.layers + 1)
  const { tokenizer } = subject.run.model
  return Array.from({ length: lens.layers + 1 }, (_, layer) => ({
    id: lens.topIds[layer * count] ?? 0,
    token: tokenizer.display(lens.topIds[layer * count] ?? 0),
    part: lens.topProbabilities[layer * count] ?? 0,
  }))
}

/** The first layer after which the best guess is the last one and stays it; 0: that of the embeddings. */
export function settledAt(guesses: readonly { id: number }[]): number {
  const last = guesses.at(-1)?.id
  return guesses.findLastIndex(({ id }) => id !== last) + 1
}

export function drawGuess(inputs: SceneInputs, tower: Tower | undefined): StepScene {
  const { subject, at, box } = inputs
  const layers = subject.info.num_hidden_layers
  const found = guesses(inputs)
  const pitch = Math.max(15, Math.min(30, (box.height - 24) / (layers + 1)))
  const right = found.length > 0 ? Math.min(guessRoom, 0.4 * box.width) : 0
  const room = Math.min(longest, box.width - names - right - 16)
  const row = tower?.columnOf(subject.query)
  const largest = Math.max(...(row?.flatMap(({ attention, feedForward }) => [attention, feedForward]) ?? [0])) || 1
  const marks = Array.from({ length: layers + 1 }, (_, after): Mark[] => {
    // The sum grows from below.
    const middle = box.y + 24 + (layers - after + 0.5) * pitch
    if (after > 0 && inTurn(at, after, layers + 1) === 0) return []
    const added = row?.[after - 1]
    const bar = (value: number, y: number, fill: 'query' | 'bar'): Mark => ({
      kind: 'rect',
      x: box.x + names,
      y,
      width: (value / largest) * room,
      height: Math.min(6, pitch / 2 - 2),
      fill,
    })
    const guess = found[after]
    const x = box.x + names + room + 12
    return [
      {
        kind: 'text',
        x: box.x,
        y: middle + 4,
        text: after === 0 ? t().embedding : t().afterLayer(after - 1),
        size: 12,
        tone: 'ink',
        room: names - 6,
      },
      ...(added
        ? [
            bar(added.attention, middle - Math.min(7, pitch / 2 - 1), 'query'),
            bar(added.feedForward, middle + 1, 'bar'),
          ]
        : []),
      ...(guess
        ? ([
            {
              kind: 'text',
              x,
              y: middle + 4,
              text: guess.token,
              size: 12,
              tone: 'ink',
              bold: after === layers,
              room: right - 56,
            },
            {
              kind: 'text',
              x: x + right,
              y: middle + 4,
              text: percent(guess.part),
              size: 12,
              face: 'mono',
              anchor: 'end',
            },
          ] satisfies Mark[])
        : []),
    ]
  }).flat()
  const half = room / 2
  return {
    marks: [
      { kind: 'rect', x: box.x + names, y: box.y + 6, width: 8, height: 8, fill: 'query' },
      title(box.x + names + 12, box.y, t().columns.attention, half - 14),
      { kind: 'rect', x: box.x + names + half, y: box.y + 6, width: 8, height: 8, fill: 'bar' },
      title(box.x + names + half + 12, box.y, t().columns.feedForward, half - 14),
      ...(right > 0 ? [title(box.x + names + room + 12, box.y, t().columns.probability, right)] : []),
      ...marks,
    ],
    bottom: box.y + 24 + (layers + 1) * pitch,
  }
}
