// The whole view as marks: for the page without its curves, which are moved by hand, and to be saved with them.
import { loss as lossWords } from '../../i18n/en/views/loss'
import { mute } from '../../i18n/en/views/mute'
import type { Mark, Scene } from '../../charts/marks'
import { tokenName } from '../../i18n/format'
import type { Fate } from '../../session/muted'
import { plainText, type Sentence } from '../../i18n/rich'
import type { Words } from '../../i18n/words'
import { drawSweep, planSweep, type Pictured } from '../../charts/sweep/draw'
import { widthOf } from '../../charts/pair-axis/axis'
import { drawFills, drawMap } from './draw'
import { drawLoss, type LossShown } from './drawLoss'
import { drawParts, type PartsPlan } from './drawParts'
import type { Layout } from './layout'
import type { Fills, PairParts } from './model'
import type { Compared } from './mutedScore.svelte'
import { fillsTitle } from './told'

interface Shown {
  compared: Compared
  fills: Fills | undefined
  layout: Layout
  parts: PartsPlan
  curves: Pictured
  losses: LossShown
}

interface Chosen {
  muted: ReadonlyMap<number, Fate>
  chosen: number | null
  palette: Uint8Array
}

/** Above the parts: what they are, or the pair that is read; in fewer words where there is little room. */
export function lineOf({ shown, query, key }: Compared, read: PairParts | undefined, room: number): Sentence {
  const token = (position: number) => tokenName(shown.reading.shown[position] ?? '', position)
  const say = (short: boolean) =>
    read
      ? mute.read(read.pair, read.wavelength, read.before, read.after, short)
      : mute.partsTitle(token(query), token(key), short)
  return widthOf(plainText(say(false)), 13) <= room ? say(false) : say(true)
}

/** B strong, A thin. */
export function curvesOf({ shown, query, key, score, curves: [before, after] }: Compared, words: Words): Pictured {
  const changed = shown.changed !== ''
  const distance = query - key
  const name = shown.reading.shown[key] ?? ''
  return {
    curves: [
      { swept: after, tone: 'ink', weight: 1.8 },
      ...(changed ? [{ swept: before, tone: 'edge', weight: 1 } as const] : []),
    ],
    reach: after.reach,
    causal: shown.model.info.is_decoder,
    marker: { distance, label: mute.marker(name, distance, score[1], changed) },
    rings: changed ? [before] : [],
    notes: changed ? [mute.sweepNote] : [],
    ends: words.distances,
  }
}

export function marksOf({ compared, fills, layout, parts, losses, muted, chosen, palette }: Shown & Chosen): Mark[] {
  const { whole, shown, query, key, pairs, score } = compared
  const tokens = shown.reading.shown
  const both = { tokens, query, key, palette }
  const { mapA, mapB, labels, sweep } = layout
  return [
    ...drawParts(parts, { pairs, score, muted, chosen }, mute),
    ...drawMap(mapA, { ...both, head: whole.head, title: mute.mapA, strong: false, labels }),
    ...drawMap(mapB, {
      ...both,
      head: shown.head,
      title: mute.mapB(shown.changed !== ''),
      strong: true,
      labels: 0,
    }),
    {
      kind: 'text',
      x: sweep.x,
      y: sweep.y + 12,
      text: widthOf(mute.sweepTitle, 14) < sweep.width ? mute.sweepTitle : mute.sweepShort,
      size: 12.5,
      face: 'serif',
      bold: true,
      tone: 'ink',
      room: sweep.width,
    },
    ...(layout.loss ? drawLoss(layout.loss, parts, losses, lossWords) : []),
    ...(fills && layout.fills ? drawFills(layout.fills, fills, fillsTitle(fills, compared), mute) : []),
  ]
}

export function saved({ compared, layout, parts, curves }: Shown, marks: readonly Mark[], width: number): Scene {
  const box = { ...layout.sweep, y: layout.sweep.y + 16, height: layout.sweep.height - 16 }
  const title = plainText(lineOf(compared, undefined, parts.room))
  return {
    width,
    height: layout.height,
    marks: [
      ...marks,
      { kind: 'text', x: 0, y: 13, text: title, size: 13, tone: 'ink' },
      ...drawSweep(planSweep(box, curves), curves),
    ],
  }
}
