// JSON of foreign files: any value may be in it.

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The object of a JSON file; empty where the file is missing or unreadable. */
export function objectOf(json: string | undefined): JsonObject {
  const value = parseJson(json ?? '')
  return isObject(value) ? value : {}
}

/** What an object has under this name; undefined of any other value. */
export const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)
