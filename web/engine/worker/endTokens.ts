/** The tokens that end a text by generation_config.json (`eos_token_id`: a number or a list); undefined where it names none. */
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
