// A picture stays within its room, whatever the size of that and the language.
import type { Mark, Scene } from '../charts/marks'
import { languages } from '../i18n/language'
import { switchLanguage } from '../i18n/messages.svelte'

export interface Room {
  width: number
  height: number
}

const rooms: readonly Room[] = [
  { width: 350, height: 330 },
  { width: 820, height: 620 },
  { width: 1700, height: 1000 },
]

function fits(mark: Mark, { width, height }: Room): boolean {
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
export async function misfits(draw: (room: Room) => Scene): Promise<Mark[]> {
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
