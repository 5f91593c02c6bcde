// What a model's config.json says of its shape and of its rope. It is foreign data: every value is checked.
import { isObject, parseJson, type JsonObject } from '../engine/protocol/json'
import { part } from '../text/settings'

/** The rope: its base, or the bases of full and of sliding layers. */
interface RopeFacts {
  bases: readonly number[]
  /** As config.json names it; undefined where the rope is as it was trained. */
  scaling?: { kind: string; factor: number | undefined }
}

export interface ModelFacts {
  /** `model_type` */
  family: string | undefined
  /** Of an encoder–decoder both stacks; empty where it is unknown. */
  layers: readonly number[]
  heads: number | undefined
  /** `added`: positions are added to the embeddings. */
  rope: RopeFacts | 'added' | undefined
}

export const unknownFacts: ModelFacts = { family: undefined, layers: [], heads: undefined, rope: undefined }

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined
const firstNumber = (config: JsonObject, keys: readonly string[]) =>
  keys.map((key) => positive(config[key])).find((value) => value !== undefined)

/** The keys of the bases outside of `rope_parameters`, with the engine's defaults (`src/model/families`). */
const bases: Readonly<Record<string, readonly (readonly [key: string, base: number])[]>> = {
  esm: [['rope_theta', 10_000]],
  gemma3_text: [
    ['rope_theta', 1_000_000],
    ['rope_local_base_freq', 10_000],
  ],
  gpt_neox: [['rotary_emb_base', 10_000]],
  llama: [['rope_theta', 10_000]],
  mistral: [['rope_theta', 10_000]],
  modernbert: [
    ['global_rope_theta', 160_000],
    ['local_rope_theta', 10_000],
  ],
  qwen2: [['rope_theta', 10_000]],
  qwen3: [['rope_theta', 10_000]],
  roformer: [['', 10_000]],
  roformer_notebook: [['rope_base', 1_000_000]],
}
const layerTypes = ['full_attention', 'sliding_attention']
/** How many ropes `rope_scaling` changes. In Gemma 3 only the first, that of full-attention layers. */
const scaledRopeCount: Readonly<Record<string, number>> = { gemma3_text: 1, modernbert: 2 }
const addsPositions = new Set(['bart', 'marian', 'pegasus'])

/** The facts of a config.json, as JSON or as its text. What it does not say is unknown. */
export function readFacts(config: unknown): ModelFacts {
  const keys = typeof config === 'string' ? parseJson(config) : config
  if (!isObject(keys)) return unknownFacts
  const family = typeof keys['model_type'] === 'string' ? keys['model_type'] : undefined
  const stacks = [positive(keys['encoder_layers']), positive(keys['decoder_layers'])]
  const layers = firstNumber(keys, ['num_hidden_layers', 'n_layers'])
  return {
    family,
    layers: stacks.every((count) => count !== undefined) ? stacks : layers === undefined ? [] : [layers],
    heads: firstNumber(keys, ['num_attention_heads', 'n_heads', 'decoder_attention_heads']),
    rope: family === undefined ? undefined : ropeOf(keys, family),
  }
}

function ropeOf(config: JsonObject, family: string): ModelFacts['rope'] {
  if (addsPositions.has(family)) return 'added'
  const outside = Object.hasOwn(bases, family) ? bases[family] : undefined
  if (!outside) return undefined
  const ropes = outside.map(([key, base], at) => {
    const settings = outside.length === 1 ? ropeSettings(config) : layerRopeSettings(config, family, at)
    return { settings, base: positive(settings['rope_theta']) ?? positive(config[key]) ?? base }
  })
  const scaled = ropes.map(({ settings }) => scalingOf(settings)).find((scaling) => scaling !== undefined)
  return { bases: [...new Set(ropes.map(({ base }) => base))], ...(scaled ? { scaling: scaled } : {}) }
}

/** Where a config has both spellings, the engine reads one (`src/model/ropes.rs`): this is that one. */
function ropeSettings(config: JsonObject): JsonObject {
  const older = part(config, 'rope_scaling')
  return older && Object.keys(older).length > 0 ? older : (part(config, 'rope_parameters') ?? {})
}

/** The same of one of several ropes. */
function layerRopeSettings(config: JsonObject, family: string, at: number): JsonObject {
  const settings = part(part(config, 'rope_parameters') ?? {}, layerTypes[at] ?? '') ?? { rope_type: 'default' }
  return at < (scaledRopeCount[family] ?? 0) ? { ...settings, ...part(config, 'rope_scaling') } : settings
}

function scalingOf(settings: JsonObject): RopeFacts['scaling'] {
  const kind = settings['rope_type'] ?? settings['type']
  return typeof kind === 'string' && kind !== 'default' ? { kind, factor: positive(settings['factor']) } : undefined
}
