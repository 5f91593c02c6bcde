// What tests look for in outputs: marks outside of their picture, words, items.
import type { Mark, Scene, Size } from '../charts/marks'
import { languages } from '../i18n/language'
import { switchLanguage } from '../i18n/messages.svelte'
import { plainText } from '../i18n/rich'
import type { Headline } from '../ui/table'
import type { PanelItem, PanelRow } from '../views/output'

const rooms: readonly Size[] = [
  { width: 350, height: 330 },
  { width: 820, height: 620 },
  { width: 1700, height: 1000 },
]

function fits(mark: Mark, { width, height }: Size): boolean {
  switch (mark.kind) {
    case 'text':
      return mark.x >= -1 && mark.x <= width + 1 && mark.y > 0 && mark.y <= height + 1
    case 'circle':
      return mark.x + mark.r <= width + 1 && mark.y + mark.r <= height + 1
    case 'raster':
      return mark.pixels.length === 4 * mark.columns * mark.rows && mark.x + mark.width <= width + 1
    default:
      return true
  }
}

/** The marks that do not fit into their picture, over all rooms and languages. */
export async function misfits(draw: (room: Size) => Scene): Promise<Mark[]> {
  const found: Mark[] = []
  for (const language of languages) {
    await switchLanguage(language)
    for (const room of rooms) {
      const scene = draw(room)
      found.push(...scene.marks.filter((mark) => !fits(mark, scene)))
    }
  }
  await switchLanguage('en')
  return found
}

/** The words of a headline. */
export const plainHeadline = (headline: Headline | undefined) =>
  headline && { title: plainText(headline.title), line: plainText(headline.line) }

/** The items of the kind K, also where several kinds are declared together. */
type ItemOf<K, Item = PanelItem> = Item extends { kind: infer Kinds } ? (K extends Kinds ? Item : never) : never

/** The first item of this kind in a view’s rows. */
export function itemOf<K extends PanelItem['kind']>(rows: readonly PanelRow[] | undefined, kind: K): ItemOf<K> {
  const items = rows?.flat() ?? []
  const found = items.find(
    (item): item is Exclude<typeof item, false | undefined> & ItemOf<K> =>
      item !== undefined && item !== false && item.kind === kind,
  )
  if (!found) throw new Error(`no ${kind}`)
  return found
}
