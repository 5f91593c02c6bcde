// The heads of a map, and the kind of its numbers.
import { isWeighing, type MapKind, type ModelInfo } from '../../engine/protocol/protocol'
import type { HeadPlace } from '../../viewstate/choice'

export const kinds: readonly MapKind[] = ['weight', 'value', 'output', 'score', 'content', 'rotation']

/** The heads that a map is of: one, or the mean over its layer, over all heads, or over a selection. */
export const means = ['head', 'layer', 'all', 'some'] as const
export type Mean = (typeof means)[number]

/** The settings of a map's heads. */
export interface SubjectSettings {
  kind: MapKind
  mean: Mean
  picked: readonly HeadPlace[]
}

/** The heads of a map: `layer` and `head` for one, `layer` for those of a layer. */
export interface Subject extends HeadPlace {
  mean: Mean
  /** Heads that it is the mean of. */
  count: number
}

/** The kinds that a model has: where nothing rotates, content is the score. */
export const kindsOf = ({ adds_positions: isAdded }: Pick<ModelInfo, 'adds_positions'>): readonly MapKind[] =>
  isAdded ? kinds.filter((kind) => kind !== 'content' && kind !== 'rotation') : kinds

/** Scores are of one head: with several, weights stand in their place. */
export function kindOf(
  { kind, mean }: Pick<SubjectSettings, 'kind' | 'mean'>,
  model: Pick<ModelInfo, 'adds_positions'>,
): MapKind {
  if (isWeighing(kind)) return kind
  if (mean !== 'head') return 'weight'
  return kindsOf(model).includes(kind) ? kind : 'score'
}

type Sizes = Pick<ModelInfo, 'num_hidden_layers' | 'num_attention_heads'>

/** The heads of these settings; the selected one if none is picked. */
export function headsOf(
  { mean, picked }: Pick<SubjectSettings, 'mean' | 'picked'>,
  place: HeadPlace,
  { num_hidden_layers: layers, num_attention_heads: heads }: Sizes,
): HeadPlace[] {
  const ofLayer = (layer: number) => Array.from({ length: heads }, (_, head) => ({ layer, head }))
  if (mean === 'layer') return ofLayer(place.layer)
  if (mean === 'all') return Array.from({ length: layers }, (_, layer) => ofLayer(layer)).flat()
  const picks = mean === 'some' ? pickedOf(picked, { num_hidden_layers: layers, num_attention_heads: heads }) : []
  return picks.length > 0 ? picks : [{ layer: place.layer, head: place.head }]
}

/** Those that the model has, each once, in the order of the layers. */
export function pickedOf(picked: readonly HeadPlace[], model: Sizes): HeadPlace[] {
  const { num_hidden_layers: layers, num_attention_heads: heads } = model
  const places = picked.flatMap(({ layer, head }) => (layer < layers && head < heads ? [layer * heads + head] : []))
  return [...new Set(places)]
    .sort((one, other) => one - other)
    .map((place) => ({ layer: Math.floor(place / heads), head: place % heads }))
}

/** As a part of a file's name: layer-2, all-heads, 3-heads; undefined: one head, which the file names by itself. */
export function subjectOf({ mean, layer, count }: Pick<Subject, 'mean' | 'layer' | 'count'>): string | undefined {
  return { head: undefined, layer: `layer-${layer}`, all: 'all-heads', some: `${count}-heads` }[mean]
}
