import { isSettings, type Settings } from './settings'

/**
 * The token that stands for a word to predict: what tokenizer_config.json or special_tokens_map.json names, else the added token [MASK]
 * or <mask>; undefined where there is none. The first two are JSON, or undefined where the file is missing.
 */
export function declaredMask(
  config: string | undefined,
  specialTokens: string | undefined,
  added: readonly string[],
): string | undefined {
  return named(config) ?? named(specialTokens) ?? ['[MASK]', '<mask>'].find((token) => added.includes(token))
}

function named(json: string | undefined): string | undefined {
  const mask = settingsOf(json)['mask_token']
  if (typeof mask === 'string') return mask
  return isSettings(mask) && typeof mask['content'] === 'string' ? mask['content'] : undefined
}

/** A file that cannot be read says nothing: the model may do without it. */
export function settingsOf(json: string | undefined): Settings {
  try {
    const settings: unknown = JSON.parse(json ?? '')
    return isSettings(settings) ? settings : {}
  } catch {
    return {}
  }
}
