// The selection: within a model and a text, and moved to another text.
import { sourceOf, textStart, type Pair } from '../engine/protocol/parts'
import type { ModelInfo } from '../engine/protocol/protocol'
import { difference, followPosition } from '../text/edit'
import type { Reading } from '../text/reading'
import type { Choice, HeadPlace } from './choice'

/** The selection, which a smaller model or a shorter text limits. */
export type Cursor = Pick<Choice, 'layer' | 'head' | 'query' | 'key' | 'pair'>

/** The cursor within this model and a text of `length` tokens; without a model unchanged. */
export function clampCursor(cursor: Cursor, model: ModelInfo | undefined, length: number, texts?: Pair): Cursor {
  const { layer, head, query, key, pair } = cursor
  if (!model) return { layer, head, query, key, pair }
  return {
    ...clampHead({ layer, head }, model),
    // In cross-attention queries are of the text, and keys of the source before it.
    query: Math.max(texts ? textStart(texts) : 0, within(query, length)),
    key: within(key, sourceOf(texts) ?? length),
    pair: pair === null ? null : within(pair, model.head_size / 2),
  }
}

export function clampHead({ layer, head }: HeadPlace, model: ModelInfo): HeadPlace {
  return { layer: within(layer, model.num_hidden_layers), head: within(head, model.num_attention_heads) }
}

function within(value: number, count: number): number {
  return Math.max(0, Math.min(value, count - 1))
}

/** The selected query and key of one text as positions of another. */
export function movedTo(
  { query, key }: Partial<Pick<Choice, 'query' | 'key'>>,
  from: string,
  before: Reading,
  to: string,
  now: Reading,
): Partial<Pick<Choice, 'query' | 'key'>> {
  const edit = difference(from, to)
  const move = (position: number) => followPosition(position, before, now, edit)
  return {
    ...(query === undefined ? {} : { query: move(query) }),
    ...(key === undefined ? {} : { key: move(key) }),
  }
}
