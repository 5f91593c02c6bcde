import { readBy as read } from './reading'
import type { Reading } from '../text/reading'
import type { Choice } from '../viewstate/choice'
import type { LoadedModel } from './engine.svelte'
import { longestText } from './longest'

/** A text as a model reads it, as far as it fits. */
export const readBy = (
  model: Pick<LoadedModel, 'tokenizer' | 'fullInfo'>,
  text: string,
  { beyond, part }: Pick<Choice, 'beyond' | 'part'>,
): Reading => read(model, text, longestText(model.fullInfo, beyond), part)
