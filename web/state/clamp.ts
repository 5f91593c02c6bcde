import type { ModelInfo } from '../engine/protocol'
import type { Choice } from './choice'

/** The choice as this model and a text of `length` tokens can show it. Without a model, as it is. */
export function clampChoice(choice: Choice, model: ModelInfo | undefined, length: number): Choice {
  if (!model) return choice
  const most = (value: number, count: number) => Math.max(0, Math.min(value, count - 1))
  return {
    ...choice,
    layer: most(choice.layer, model.num_hidden_layers),
    head: most(choice.head, model.num_attention_heads),
    query: most(choice.query, length),
    key: most(choice.key, length),
    pair: choice.pair === null ? null : most(choice.pair, model.head_size / 2),
  }
}
