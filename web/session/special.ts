import type { Read } from './request'

/** Positions of special tokens, of the template or written in the text. A mask counts as a word. */
export function specialPositions({ model, reading }: Pick<Read, 'model' | 'reading'>): ReadonlySet<number> {
  const { tokenizer } = model
  const found = [...reading.ids].flatMap((id, position) =>
    reading.spans[position] === null || (id !== tokenizer.maskId && tokenizer.isSpecial(id)) ? [position] : [],
  )
  return new Set(found)
}
