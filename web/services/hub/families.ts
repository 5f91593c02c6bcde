// The models that the engine reads; a test compares the list with `src/model/families`.
import { isObject, parseJson } from '../../engine/protocol/json'

/** Hugging Face's classes that run here, by the `model_type` of their config.json. */
export const families: Readonly<Record<string, readonly string[]>> = {
  bart: ['BartForConditionalGeneration', 'BartModel'],
  esm: ['EsmForMaskedLM', 'EsmModel'],
  gemma3_text: ['Gemma3ForCausalLM', 'Gemma3TextModel'],
  gpt_neox: ['GPTNeoXForCausalLM', 'GPTNeoXModel'],
  llama: ['LlamaForCausalLM', 'LlamaModel'],
  marian: ['MarianMTModel', 'MarianModel'],
  mistral: ['MistralForCausalLM', 'MistralModel'],
  modernbert: [
    'ModernBertForMaskedLM',
    'ModernBertModel',
    'ModernBertForSequenceClassification',
    'ModernBertForTokenClassification',
    'ModernBertForQuestionAnswering',
  ],
  pegasus: ['PegasusForConditionalGeneration', 'PegasusModel'],
  roformer_notebook: ['NotebookRoFormer'],
  qwen2: ['Qwen2ForCausalLM', 'Qwen2Model'],
  qwen3: ['Qwen3ForCausalLM', 'Qwen3Model'],
  roformer: [
    'RoFormerModel',
    'RoFormerForMaskedLM',
    'RoFormerForCausalLM',
    'RoFormerForSequenceClassification',
    'RoFormerForTokenClassification',
    'RoFormerForQuestionAnswering',
  ],
}

/** From config.json. */
export interface ModelKind {
  modelType: string | undefined
  classes: readonly string[]
}

/** Undefined where config.json is no JSON object. */
export function readModelKind(config: string): ModelKind | undefined {
  const read = parseJson(config)
  if (!isObject(read)) return undefined
  const { model_type: type, architectures } = read
  const classes = Array.isArray(architectures) ? architectures.filter((name) => typeof name === 'string') : []
  return { modelType: typeof type === 'string' ? type : undefined, classes }
}

/** Whether the engine has the family and class; the engine checks the settings itself. */
export function isSupported({ modelType, classes }: ModelKind): boolean {
  const known =
    modelType === undefined ? Object.values(families).flat() : Object.hasOwn(families, modelType) && families[modelType]
  if (!known) return false
  return classes.length === 0 || classes.some((name) => known.includes(name))
}
