// What is told of a score, its curves, and both pictures as one.
import type { Mark, Scene } from '../../charts/marks'
import type { Told } from '../../i18n/en/score'
import { plainText } from '../../i18n/rich'
import type { Words } from '../../i18n/words'
import { drawSweep, planSweep, type Curve, type Pictured } from '../../charts/sweep/draw'
import { isFlat, peakOf, scoreAt, spanOf } from '../../charts/sweep/model'
import { drawFall, planFall } from './draw'
import type { Explained } from './oneScore.svelte'

/** Less of the curve's height cannot be told apart by eye. */
const almost = 0.02

export function tellOf({ shown, query, key, score, weight, swept, fall }: Explained, words: Words['score']): Told {
  const tokens = shown.reading.shown
  const peak = peakOf(swept, shown.model.info.is_decoder)
  return {
    query: words.token(tokens[query] ?? '', query),
    key: words.token(tokens[key] ?? '', key),
    head: `${shown.head.layer}.${shown.head.head}`,
    score,
    weight,
    distance: query - key,
    peak: isFlat(swept) ? 'flat' : peak,
    near: peak.score - scoreAt(swept, query - key) < almost * spanOf(swept),
    pairs: fall.steps.length,
    main: fall.main,
  }
}

/** The curve of all pairs, that of one alone, and the bound. */
export function curvesOf({ shown, query, key, score, swept, single, lone, bound }: Explained, words: Words): Pictured {
  const causal = shown.model.info.is_decoder
  const distance = query - key
  const curves: Curve[] = [{ swept, tone: 'ink', weight: 1.7 }]
  if (lone) curves.push({ swept: lone, tone: 'edge', weight: 1, dash: '3 2' })
  if (bound) curves.push({ swept: bound, tone: 'quiet', weight: 1.1, dash: '1 3' })
  const peak = peakOf(swept, causal)
  return {
    curves,
    reach: swept.reach,
    causal,
    marker: { distance, label: words.score.marker(shown.reading.shown[key] ?? '', distance, score) },
    peak: isFlat(swept) || peak.distance === distance ? undefined : peak.distance,
    notes: [
      ...(lone ? [words.score.dashed(single)] : []),
      ...(bound ? [words.score.dotted(Math.round(scoreAt(bound, distance)))] : []),
    ],
    ends: words.distances,
  }
}

interface Parts {
  explained: Explained
  told: Told
  curves: Pictured
  pair: number | null
  width: number
  /** Heights of the waterfall and of the curve. */
  upper: number
  lower: number
}

/** Waterfall and curve with their words, to be saved. */
export function picture({ explained, told, curves, pair, width, upper, lower }: Parts, words: Words['score']): Scene {
  const { fall, check } = explained
  const fallAt = { x: 0, y: 20, width, height: upper }
  const sweepAt = { x: 0, y: 20 + upper + 44, width, height: lower }
  const line = (y: number, text: string): Mark => ({ kind: 'text', x: 0, y, text })
  return {
    width,
    height: sweepAt.y + lower + 4,
    marks: [
      line(12, plainText(words.both(told))),
      ...drawFall(planFall(fallAt, fall), fall, { chosen: pair, pointed: null, check }, words),
      {
        kind: 'text',
        x: 0,
        y: sweepAt.y - 20,
        text: words.sweepTitle,
        tone: 'ink',
        bold: true,
        size: 13,
        face: 'serif',
      },
      line(sweepAt.y - 4, plainText(words.highest(told))),
      ...drawSweep(planSweep(sweepAt, curves), curves),
    ],
  }
}
