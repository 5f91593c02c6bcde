// The keys of what is open, place by place.
import type { KeyWords } from '../i18n/keyGroups'
import type { ModelInfo } from '../engine/protocol/protocol'
import type { Choice } from '../viewstate/choice'
import { viewOf, views } from '../views'
import type { Words } from '../i18n/words'
import { keysOf, titleOf } from '../views/view'
import { openOf } from '../pages/explorer/openViews'

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
    const keys = view && keysOf(view)
    return served && keys ? [{ name: titleOf(view), keys }] : []
  })
  return [
    page,
    { name: keys.heads, keys: keys.bench },
    { name: keys.tokens, keys: keys.tokenKeys(masks) },
    { name: keys.grid, keys: keys.gridKeys },
    ...opened,
  ]
}
