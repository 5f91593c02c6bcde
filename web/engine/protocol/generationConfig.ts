/** Generation settings of an encoder–decoder, from generation_config.json, with Hugging Face's defaults. */
export interface WritingRules {
  beams: number
  lengthPenalty: number
  stopping: 'early' | 'likely' | 'never'
  badWords: number[][]
  noRepeat: number
  minLength: number
  forcedFirst: number[]
  forcedLast: number[]
  /** In tokens, with the start token; undefined: no limit. */
  maxLength: number | undefined
}

export const mostBeams = 8

/** `ends`: the tokens that end a text. Without a file they are forced as the last token. */
export function writingRules(generationConfig: string | undefined, ends: readonly number[]): WritingRules {
  let config: Record<string, unknown> = {}
  try {
    const read: unknown = JSON.parse(generationConfig ?? '{}')
    if (typeof read === 'object' && read !== null) config = read as Record<string, unknown>
  } catch {
    // An unreadable file counts as empty.
  }
  const number = (name: string, fallback: number) => {
    const value = config[name]
    return typeof value === 'number' && Number.isFinite(value) ? value : fallback
  }
  const count = (name: string, fallback: number) => Math.max(0, Math.round(number(name, fallback)))
  const last = generationConfig === undefined ? [...ends] : ids(config['forced_eos_token_id'])
  const stopping = config['early_stopping']
  const badWords = config['bad_words_ids']
  return {
    beams: Math.min(mostBeams, Math.max(1, count('num_beams', 1))),
    lengthPenalty: number('length_penalty', 1),
    stopping: stopping === true ? 'early' : stopping === 'never' ? 'never' : 'likely',
    badWords: Array.isArray(badWords) ? badWords.map(ids).filter((word) => word.length > 0) : [],
    noRepeat: count('no_repeat_ngram_size', 0),
    minLength: count('min_length', 0),
    forcedFirst: ids(config['forced_bos_token_id']),
    forcedLast: last,
    maxLength: count('max_length', 0) || undefined,
  }
}

/** Reads one id, or a list. */
function ids(value: unknown): number[] {
  const isId = (id: unknown): id is number => typeof id === 'number' && Number.isInteger(id) && id >= 0
  return (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isId)
}

/** `eos_token_id` of generation_config.json, a number or a list; undefined where there is none. */
export function endTokens(generationConfig: string | undefined): number[] | undefined {
  if (generationConfig === undefined) return undefined
  let named: unknown
  try {
    named = (JSON.parse(generationConfig) as { eos_token_id?: unknown } | null)?.eos_token_id
  } catch {
    return undefined
  }
  const isId = (id: unknown): id is number => typeof id === 'number' && Number.isInteger(id) && id >= 0
  if (Array.isArray(named)) return named.filter(isId)
  return isId(named) ? [named] : undefined
}
