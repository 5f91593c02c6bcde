import { messages } from '../../../i18n/messages.svelte'
import { integer } from '../../../i18n/numbers'
import { hasNoHover } from '../../../ui/pointer'

const en = {
  stories: 'Stories',
  label: (name: string) => `Story: ${name}`,
  place: (caption: number, all: number) => `${integer(caption)} of ${integer(all)}`,
  back: 'Back',
  next: 'Next',
  close: 'Close',
  end: 'Back to where I was',
  keys: 'Arrow keys and Enter lead on, Escape leads back to where you were.',
  measuring: 'Measuring…',
  loading: (model: string) => `Loading the model ${model}…`,
  get elsewhere(): string {
    return hasNoHover()
      ? 'You have chosen something else. “Next” goes on with the story, ✕ leads back.'
      : 'You have chosen something else. The arrow keys go on with the story, Escape leads back.'
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
