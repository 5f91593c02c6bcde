// Models of proteins: a token is one residue, and texts may be FASTA records.

import type { TokenizerFiles } from '../engine/protocol/protocol'
import { settingsOf } from './settings'

/** Whether a vocabulary is of residues, as ESM's: with <cls> and <eos>, and without [CLS] and [SEP]. */
export function isOfResidues(tokens: ReadonlySet<string> | ReadonlyMap<string, number>): boolean {
  return tokens.has('<cls>') && tokens.has('<eos>') && !(tokens.has('[CLS]') && tokens.has('[SEP]'))
}

export function readsResidues({ tokenizer, vocabulary, config }: TokenizerFiles): boolean {
  if (settingsOf(config)['tokenizer_class'] === 'EsmTokenizer') return true
  return tokenizer === undefined && isOfResidues(new Set((vocabulary ?? '').split(/\r?\n/)))
}

/**
 * The sequence of a FASTA record. Its description and later records become spaces, so that all places stay. Other texts are returned
 * unchanged.
 */
export function sequenceOf(text: string): string {
  const description = /^\s*>[^\r\n]*/.exec(text)?.[0].length
  if (description === undefined) return text
  const rest = text.slice(description)
  const next = /[\r\n]\s*>/.exec(rest)?.index ?? rest.length
  return ' '.repeat(description) + rest.slice(0, next) + ' '.repeat(rest.length - next)
}
