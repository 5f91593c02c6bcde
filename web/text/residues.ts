// Models of proteins: a token is one residue, and texts may be FASTA records.

import type { TokenizerFiles } from '../engine/protocol/protocol'
import { settingsOf } from './settings'

/** Whether a vocabulary is of residues as ESM's: texts stand between <cls> and <eos>, and not behind [CLS]. */
export function isOfResidues(tokens: ReadonlySet<string> | ReadonlyMap<string, number>): boolean {
  return tokens.has('<cls>') && tokens.has('<eos>') && !(tokens.has('[CLS]') && tokens.has('[SEP]'))
}

/** Whether the texts of a model with these files are sequences of residues. */
export function readsResidues({ tokenizer, vocabulary, config }: TokenizerFiles): boolean {
  if (settingsOf(config)['tokenizer_class'] === 'EsmTokenizer') return true
  return tokenizer === undefined && isOfResidues(new Set((vocabulary ?? '').split(/\r?\n/)))
}

/**
 * The sequence of a FASTA record, where the text is one: its description and records behind it become spaces, so that all places stay.
 * Any other text is left as it is.
 */
export function sequenceOf(text: string): string {
  const description = /^\s*>[^\r\n]*/.exec(text)?.[0].length
  if (description === undefined) return text
  const rest = text.slice(description)
  const next = /[\r\n]\s*>/.exec(rest)?.index ?? rest.length
  return ' '.repeat(description) + rest.slice(0, next) + ' '.repeat(rest.length - next)
}
