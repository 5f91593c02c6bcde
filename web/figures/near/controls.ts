// Chapter 6: which curve, and over which distances.
import type { Bench } from '../../session/bench.svelte'
import type { PanelRow } from '../../views/output'
import model from '../head.json'
import type { NearParams } from '.'
import { reaches } from './data.svelte'
import { t } from './messages.en'

/** Distances of the arrow. */
const stops = [1, 2, 3, 4, 5, 7, 10, 14, 20, 30, 50, 70, 100, 140, 200, 300, 500, 700, 1000, 2000, 5000, 10_000]

/** Controls of the curve and of its range. */
export function controlsOf(params: NearParams, { choice }: Bench, ofHead: boolean): PanelRow<NearParams> {
  const { curve, alike, seed } = params
  const ofArrow = curve === 'arrow'
  const ofDistance = curve !== 'base' && !ofArrow
  const ofScore = curve === 'score'
  return [
    {
      kind: 'segmented',
      param: 'curve',
      label: t().curve,
      labelled: true,
      options: (['arrow', 'bound', 'cosines', 'score', 'base'] as const).map((value) => ({
        value,
        text: t().curves[value],
      })),
    },
    ofArrow && {
      kind: 'segmented',
      param: 'hands',
      label: t().hands,
      labelled: true,
      options: (['alike', 'model'] as const).map((value) => ({
        value,
        text: value === 'model' ? t().handsOf.model(model) : t().handsOf.alike,
      })),
    },
    ofArrow && {
      kind: 'slider',
      label: t().between,
      value: params.at,
      stops: [...new Set([...stops, params.at])].sort((one, other) => one - other),
      format: t().tokens,
      to: (at) => ({ params: { at } }),
    },
    ofDistance && { kind: 'button', label: t().alike, pressed: alike, to: { params: { alike: !alike } } },
    ofScore &&
      !ofHead && {
        kind: 'number',
        label: t().aligned,
        value: params.aligned,
        min: 0,
        max: 8192,
        to: (value) => ({ params: { aligned: Math.max(0, Math.min(8192, Math.round(value || 0))) } }),
      },
    ofScore &&
      choice.vectors === 'random' && { kind: 'button', label: t().seed, to: { params: { seed: (seed % 9999) + 1 } } },
    ofDistance && {
      kind: 'slider',
      label: t().reach,
      value: choice.maxDistance,
      stops: reaches,
      format: t().tokens,
      to: (maxDistance) => ({ choice: { maxDistance } }),
    },
  ]
}
