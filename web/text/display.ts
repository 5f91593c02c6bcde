import { Characters, hexadecimal } from './bytes'
import type { Decoder } from './decoder'

/**
 * A token for people to read: Ġ and ▁ are spaces, a byte that is a part of a character is its number (⟨E2⟩), line ends and tabs are seen.
 * Tokens without such marks are shown as the vocabulary writes them ("##ing").
 */
export function display(token: string, decoder: Decoder): string {
  if (!decoder.marked) return token
  const characters = new Characters()
  const text = characters.push(decoder.read(token, false)) + characters.flush()
  return text.replace(/\p{Cc}/gu, (control) => visible.get(control) ?? hexadecimal(control.charCodeAt(0)))
}

const visible: ReadonlyMap<string, string> = new Map([
  ['\n', '↵'],
  ['\t', '⇥'],
])
