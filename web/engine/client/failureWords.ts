// Parameters of failures that are a kind with values of its own, in words.

/** Words for each kind of a union. */
export type Words<T extends { kind: string }> = {
  readonly [K in T['kind']]: (value: Extract<T, { kind: K }>) => string
}

/** The words of a value. */
export function wordsOf<T extends { kind: string }>(words: Words<T>, value: T): string {
  return words[value.kind as T['kind']](value as never)
}

/** Where a JSON text breaks, which its parser says in English only; another reason as it is. */
export function brokenAt(reason: string, words: (line: string, column: string) => string): string {
  const [, line, column] = /at line (\d+) column (\d+)$/.exec(reason) ?? []
  return line !== undefined && column !== undefined ? words(line, column) : reason
}

/** A number as text: a large or small one with an exponent. */
export const numeral = (value: number) =>
  value !== 0 && (Math.abs(value) >= 1e9 || Math.abs(value) < 1e-6)
    ? value.toExponential().replace('+', '')
    : String(value)

/** An opcode as Python’s pickletools writes it. */
export const hexadecimal = (opcode: number) => `0x${opcode.toString(16).padStart(2, '0')}`
