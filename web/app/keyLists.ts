// The keys of each open view, for the list of keys.
import type { Language } from '../i18n/language'
import type { KeyWords } from '../ui/keys'
import type { ModelInfo } from '../engine/protocol/protocol'
import type { Choice } from '../viewstate/choice'
import { viewOf, views } from '../views'
import { keysOf, languageOf, titleOf } from '../views/view'
import { t } from './messages.en'
import { openOf } from '../pages/explorer/arrangement'

export interface KeyPlace {
  name: string
  language: Language
  keys: KeyWords
}

/** `masks`: whether the model has a mask token. */
export function keyLists(
  { page, open }: Pick<Choice, 'page' | 'open'>,
  model: ModelInfo | undefined,
  masks: boolean,
): KeyPlace[] {
  const { keys } = t()
  const language = t.language()
  const everywhere = { name: keys.everywhere, language, keys: keys.page }
  if (page === 'read') return [everywhere, { name: keys.figures, language, keys: keys.figureKeys }]
  if (page !== 'explorer') return [everywhere]
  const all = views.map(({ id }) => id)
  const opened = openOf(open, all).flatMap((id) => {
    const view = viewOf(id)
    const served = view && (!model || (view.serves?.(model) ?? true))
    const keys = view && keysOf(view)
    return served && keys ? [{ name: titleOf(view), language: languageOf(view), keys }] : []
  })
  return [
    everywhere,
    { name: keys.heads, language, keys: keys.headKeys },
    { name: keys.tokens, language, keys: keys.tokenKeys(masks) },
    { name: keys.grid, language, keys: keys.gridKeys },
    ...opened,
  ]
}
