// The keys of what is open, place by place.
import type { KeyWords } from '../../elements/keys'
import type { ModelInfo } from '../../engine/protocol'
import type { Choice } from '../../state/choice'
import { viewOf, views } from '../../views'
import type { Words } from '../../words/words'
import { openOf } from '../explorer/openViews'

export interface KeyPlace {
  name: string
  keys: KeyWords
}

/** `masks`: whether the model has a token to mask words with. */
export function keyLists(
  { room, open }: Pick<Choice, 'room' | 'open'>,
  model: ModelInfo | undefined,
  masks: boolean,
  words: Words,
): KeyPlace[] {
  const { keys } = words
  const page = { name: keys.everywhere, keys: keys.page }
  if (room === 'read') return [page, { name: keys.figures, keys: keys.figureKeys }]
  if (room !== 'explorer') return [page]
  const all = views.map(({ id }) => id)
  const opened = openOf(open, all).flatMap((id) => {
    const view = viewOf(id)
    const served = view && (!model || (view.serves?.(model) ?? true))
    return served && view.keys ? [{ name: view.words(words).title, keys: view.keys(words) }] : []
  })
  return [
    page,
    { name: keys.heads, keys: keys.bench },
    { name: keys.tokens, keys: keys.tokenKeys(masks) },
    { name: keys.grid, keys: keys.gridKeys },
    ...opened,
  ]
}
