// Small models on the hub that suit the page. Sizes and licences are those of the hub's pages.
import { readAddress, type HubAddress } from './address'
import { families } from './families'
import { neededFiles } from './listing'

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
  /** Layers and heads a layer, where its page on the hub says so: the config.json of a stored model says all. */
  shape?: readonly [layers: number, heads: number]
  /** The base of its rope, where its page says so. */
  base?: number
}

const models: readonly ShelfModel[] = [
  {
    id: 'junnyu/roformer_small_generator@refs/pr/1',
    family: 'roformer',
    megabytes: 18,
    listed: true,
    licence: 'mit',
    weights: 'model.safetensors',
  },
  {
    id: 'junnyu/roformer_chinese_char_small',
    family: 'roformer',
    shape: [6, 6],
    megabytes: 62,
    listed: true,
    licence: null,
    weights: 'pytorch_model.bin',
  },
  {
    id: 'HuggingFaceTB/SmolLM2-135M',
    family: 'llama',
    shape: [30, 9],
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
    base: 1_000_000,
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
    shape: [6, 8],
    megabytes: 166,
    listed: true,
    licence: 'apache-2.0',
    weights: 'model.safetensors',
  },
  {
    id: 'EleutherAI/pythia-160m',
    family: 'gpt_neox',
    shape: [12, 12],
    megabytes: 375,
    listed: true,
    licence: 'apache-2.0',
    weights: 'model.safetensors',
  },
  {
    id: 'facebook/esm2_t6_8M_UR50D',
    family: 'esm',
    shape: [6, 20],
    megabytes: 31,
    listed: true,
    licence: 'mit',
    weights: 'model.safetensors',
  },
  {
    id: 'facebook/esm2_t12_35M_UR50D',
    family: 'esm',
    megabytes: 136,
    listed: true,
    licence: 'mit',
    weights: 'model.safetensors',
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
