import type { Read } from './request'

/** Positions of tokens that stand for no word: the template's own, and those that are written out; a mask stands for a word. */
export function specialPositions({ model, reading }: Pick<Read, 'model' | 'reading'>): ReadonlySet<number> {
  const { tokenizer } = model
  const found = [...reading.ids].flatMap((id, position) =>
    reading.spans[position] === null || (id !== tokenizer.maskId && tokenizer.isSpecial(id)) ? [position] : [],
  )
  return new Set(found)
}
