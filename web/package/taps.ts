import { said } from '../i18n/package'
import { error } from './errors'
import type { Tensor } from './safetensors'

/** What of a run is told, in the command line's words, and how its tensors are named: of an encoder–decoder with the part in front. */
const tapNames = {
  hidden_states: /^(\w+_)?hidden_states\.\d+$/,
  attentions: /^(\w+_)?attentions\.\d+$/,
  query: /^(\w+\.)?layer\.\d+\.query$/,
  key: /^(\w+\.)?layer\.\d+\.key$/,
  value: /^(\w+\.)?layer\.\d+\.value$/,
  query_rotated: /^(\w+\.)?layer\.\d+\.query\.rotated$/,
  key_rotated: /^(\w+\.)?layer\.\d+\.key\.rotated$/,
  written: /^(\w+\.)?layer\.\d+\.written$/,
} as const
export type Tap = keyof typeof tapNames

/** @throws {RopescopeError} where one of them is none */
export function checkTaps(wanted: readonly Tap[]): void {
  for (const tap of wanted) {
    if (!Object.hasOwn(tapNames, tap))
      throw error('no-tap', said.noSuchTap(String(tap), Object.keys(tapNames).join(', ')))
  }
}

/** Those of a run's tensors that these taps tell, by tap. */
export function tapped<T extends Tap>(
  tensors: Readonly<Record<string, Tensor>>,
  wanted: readonly T[],
): { [K in T]: Record<string, Tensor> } {
  const named = (tap: Tap) => Object.entries(tensors).filter(([name]) => tapNames[tap].test(name))
  return Object.fromEntries(wanted.map((tap) => [tap, Object.fromEntries(named(tap))])) as {
    [K in T]: Record<string, Tensor>
  }
}
