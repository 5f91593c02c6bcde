// What the texts of the lesson say of a model and of the run.
import { parseInterventions } from '../../session/interventions'
import type { Facts } from './messages.en'
import type { Subject } from './subject'

export function factsOf({ info, part, rotates, run }: Subject): Facts {
  const { num_attention_heads: heads, num_key_value_heads: keyHeads } = info
  const changes = parseInterventions(run.interventions)
  return {
    vocabulary: info.vocab_size,
    embedding: info.embedding_size,
    hidden: info.hidden_size,
    heads,
    headSize: info.head_size,
    sharing: Math.round(heads / Math.max(1, keyHeads)),
    neurons: info.intermediate_size,
    rotates,
    rotatesValues: info.rotary_value || changes.rotaryValue || changes.rotatesValues,
    causal: info.is_decoder,
    cross: part === 'cross',
    predicts: info.predicts_tokens && part !== 'encoder',
    masks: run.result.rows.length > 0,
  }
}
