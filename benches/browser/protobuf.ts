// As much of Protocol Buffers' wire format as an ONNX file needs.

/** One field of a message, encoded. */
export type Field = Uint8Array

const text = new TextEncoder()

function varint(value: number): number[] {
  const bytes = []
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    const low = Number(rest & 127n)
    if (rest < 128n) return [...bytes, low]
    bytes.push(low | 128)
  }
}

export function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** A field of type int64 or an enumeration. */
export function integer(number: number, value: number): Field {
  return Uint8Array.from([...varint(number << 3), ...varint(value)])
}

/** A field of type float. */
export function float(number: number, value: number): Field {
  return Uint8Array.from([...varint((number << 3) | 5), ...new Uint8Array(Float32Array.of(value).buffer)])
}

/** A field of type string, bytes or message. */
export function bytes(number: number, value: string | Uint8Array | readonly Field[]): Field {
  const content =
    typeof value === 'string' ? text.encode(value) : value instanceof Uint8Array ? value : concatenated(value)
  return concatenated([Uint8Array.from([...varint((number << 3) | 2), ...varint(content.length)]), content])
}
