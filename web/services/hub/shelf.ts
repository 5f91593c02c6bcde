// Small models on the hub that suit the page. Sizes and licences are those of the hub's pages.
import { readAddress, type HubAddress } from './address'
import { examples, type Example } from '../../viewstate/examples'
import { families } from './families'
import { neededFiles } from './needed'

export interface ShelfModel {
  /** By `writeAddress`. */
  id: string
  /** `model_type` of its config.json. */
  family: string
  /** Of the weights. */
  megabytes: number
  /** Whether the hub lists that size; else it is an estimate from the parameters. */
  listed: boolean
  /** Null: the hub names none. */
  licence: string | null
  gated?: boolean
  weights: 'model.safetensors' | 'pytorch_model.bin'
  /** An example for a model that does not read English. */
  text?: string | undefined
}

const textOf = (id: Example['id']) => examples.find((example) => example.id === id)?.text

const models: readonly ShelfModel[] = [
  {
    id: 'junnyu/roformer_small_generator@refs/pr/1',
    family: 'roformer',
    megabytes: 18,
    listed: true,
    licence: 'mit',
    weights: 'model.safetensors',
    text: 'the capital of france is [MASK].',
  },
  {
    id: 'junnyu/roformer_chinese_char_small',
    family: 'roformer',
    megabytes: 62,
    listed: true,
    licence: null,
    weights: 'pytorch_model.bin',
    text: textOf('park'),
  },
  {
    id: 'HuggingFaceTB/SmolLM2-135M',
    family: 'llama',
    megabytes: 269,
    listed: true,
    licence: 'apache-2.0',
    weights: 'model.safetensors',
  },
  {
    id: 'M4-ai/TinyMistral-248M-v3',
    family: 'mistral',
    megabytes: 496,
    listed: true,
    licence: 'apache-2.0',
    weights: 'model.safetensors',
  },
  {
    id: 'Qwen/Qwen2.5-0.5B',
    family: 'qwen2',
    megabytes: 988,
    listed: false,
    licence: 'apache-2.0',
    weights: 'model.safetensors',
  },
  {
    id: 'Qwen/Qwen3-0.6B',
    family: 'qwen3',
    megabytes: 1500,
    listed: false,
    licence: 'apache-2.0',
    weights: 'model.safetensors',
  },
  {
    id: 'EleutherAI/pythia-14m',
    family: 'gpt_neox',
    megabytes: 53,
    listed: false,
    licence: 'apache-2.0',
    weights: 'model.safetensors',
  },
  {
    id: 'EleutherAI/pythia-70m',
    family: 'gpt_neox',
    megabytes: 166,
    listed: true,
    licence: 'apache-2.0',
    weights: 'model.safetensors',
  },
  {
    id: 'EleutherAI/pythia-160m',
    family: 'gpt_neox',
    megabytes: 375,
    listed: true,
    licence: 'apache-2.0',
    weights: 'model.safetensors',
  },
  {
    id: 'facebook/esm2_t6_8M_UR50D',
    family: 'esm',
    megabytes: 31,
    listed: true,
    licence: 'mit',
    weights: 'model.safetensors',
    text: textOf('protein'),
  },
  {
    id: 'facebook/esm2_t12_35M_UR50D',
    family: 'esm',
    megabytes: 136,
    listed: true,
    licence: 'mit',
    weights: 'model.safetensors',
    text: textOf('protein'),
  },
  {
    id: 'answerdotai/ModernBERT-base',
    family: 'modernbert',
    megabytes: 596,
    listed: false,
    licence: 'apache-2.0',
    weights: 'model.safetensors',
  },
  {
    id: 'google/gemma-3-270m',
    family: 'gemma3_text',
    megabytes: 540,
    listed: false,
    licence: 'gemma',
    gated: true,
    weights: 'model.safetensors',
  },
]

/** The models that the engine reads. */
export const shelf: readonly ShelfModel[] = models.filter(
  ({ family, weights }) => family in families && hasReadableWeights(weights),
)

function hasReadableWeights(weights: string): boolean {
  try {
    neededFiles(['config.json', 'vocab.txt', weights].map((path) => ({ path, size: 1 })))
    return true
  } catch {
    return false
  }
}

export function addressOf({ id }: ShelfModel): HubAddress {
  const address = readAddress(id)
  return typeof address === 'string' ? { owner: '', name: id, revision: '' } : address
}

export function shelfModel({ owner, name }: HubAddress): ShelfModel | undefined {
  return shelf.find((entry) => {
    const address = addressOf(entry)
    return address.owner === owner && address.name === name
  })
}
