// What the lesson is of: a run, its selected head and token, and the names of the numbers that its pictures take.
import { sourceOf, textStart, type PartName } from '../../engine/protocol/parts'
import { clampIndex } from '../../engine/protocol/range'
import type { ModelInfo } from '../../engine/protocol/protocol'
import { inPart } from '../sites'
import type { Run } from '../../session/runs.svelte'
import type { Cursor } from '../../viewstate/choice'
import { isRotary } from '../view'
import type { Step } from './steps'

export interface Subject {
  run: Run
  /** Of the part that the views show. */
  info: ModelInfo
  part: PartName | undefined
  layer: number
  head: number
  /** The head of keys and values, which several heads may share. */
  keyHead: number
  /** Positions among the tokens of the views. */
  query: number
  key: number
  /** The tokens whose vectors the part computes, and the tokens that the query can see: first position, and one past the last. */
  rows: Range
  keys: Range
  rotates: boolean
}

export interface Range {
  from: number
  to: number
}

export function subjectOf(run: Run, cursor: Cursor): Subject {
  const { reading, model, head } = run
  const { info } = model
  const { pair } = reading
  const source = sourceOf(pair)
  const start = pair ? textStart(pair) : 0
  const end = reading.ids.length
  const query = Math.max(start, clampIndex(cursor.query, end))
  const keys = source === undefined ? { from: 0, to: info.is_decoder ? query + 1 : end } : { from: 0, to: source }
  const group = info.num_attention_heads / Math.max(1, info.num_key_value_heads)
  return {
    run,
    info,
    part: pair?.part,
    layer: head.layer,
    head: head.head,
    keyHead: Math.floor(head.head / Math.max(1, group)),
    query,
    key: Math.min(clampIndex(cursor.key, end), keys.to - 1),
    rows: { from: start, to: end },
    keys,
    rotates: isRotary(info),
  }
}

/** The row in the model of a token of the views. */
export const rowOf = ({ rows }: Subject, position: number): number => position - rows.from

/** The sites of the numbers that a step's picture takes, by name. */
export function sitesOf(subject: Subject, step: Step): Readonly<Record<string, string>> {
  const { layer, head, keyHead, part, rotates } = subject
  const row = rowOf(subject, subject.query)
  // Cross-attention has no feed-forward network and no embeddings of its own: those are the decoder's.
  const own = part === 'cross' ? 'decoder' : part
  switch (step) {
    case 'vectors':
      return {
        word: inPart('embeddings.word', own),
        ...(rotates ? {} : { position: inPart('embeddings.position', own) }),
      }
    case 'rotation':
      return rotates ? {} : { position: inPart('embeddings.position', own) }
    case 'projections':
      return {
        // The source's vectors come from the encoder, which another part has.
        ...(part === 'cross' ? {} : { stream: inPart(`hidden_states.${layer}`, own) }),
        query: inPart(`layer.${layer}.query[${head},*,*]`, part),
        key: inPart(`layer.${layer}.key[${keyHead},*,*]`, part),
        value: inPart(`layer.${layer}.value[${keyHead},*,*]`, part),
      }
    case 'values':
      return {
        value: inPart(`layer.${layer}.value[${keyHead},*,*]`, part),
        output: inPart(`layer.${layer}.head[${head},${row},*]`, part),
      }
    case 'feedForward':
      return {
        inner: inPart(`ffn.${layer}.inner[${row},*]`, own),
        activated: inPart(`ffn.${layer}[${row},*]`, own),
      }
    default:
      return {}
  }
}

/** The number that a step's picture is of above all. */
export function siteOfStep(subject: Subject, step: Step): string | undefined {
  const { layer, head, part, query, key } = subject
  const own = part === 'cross' ? 'decoder' : part
  const row = rowOf(subject, query)
  switch (step) {
    case 'vectors':
      return inPart(`embeddings[${row},0]`, own)
    case 'projections':
      return inPart(`layer.${layer}.query[${head},${row},0]`, part)
    case 'rotation':
      return subject.rotates
        ? inPart(`layer.${layer}.query.rotated[${head},${row},0]`, part)
        : inPart(`embeddings[${row},0]`, own)
    case 'scores':
      return inPart(`layer.${layer}.score[${head},${row},${key}]`, part)
    case 'weights':
      return inPart(`attentions.${layer}[${head},${row},${key}]`, part)
    case 'values':
      return inPart(`layer.${layer}.head[${head},${row},0]`, part)
    case 'feedForward':
      return inPart(`ffn.${layer}[${row},0]`, own)
    default:
      return undefined
  }
}

/** The sites of the norms of the tower: the embeddings, and what each layer's sublayers add to each token. */
export function sitesOfTower({ part }: Pick<Subject, 'part'>): readonly string[] {
  const own = part === 'cross' ? 'decoder' : part
  return [
    inPart('hidden_states.0', own),
    inPart('layer.*.attention', own),
    ...(own === 'decoder' ? [inPart('layer.*.attention', 'cross')] : []),
    inPart('layer.*.ffn', own),
  ]
}
