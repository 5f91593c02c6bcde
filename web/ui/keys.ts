// The one table of keys: what a key press means, wherever it is pressed. Views move by actions and know no key.

const meanings = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'first',
  End: 'last',
  Enter: 'take',
  ' ': 'take',
  Escape: 'leave',
  '[': 'headBack',
  ']': 'headOn',
  '{': 'layerBack',
  '}': 'layerOn',
  q: 'query',
  k: 'key',
  m: 'mask',
  b: 'compare',
  '?': 'keys',
} as const

export type Action = (typeof meanings)[keyof typeof meanings] | 'undo' | 'redo'

let characters = true

/** Whether single characters mean something: who dictates, or hits keys unawares, may do without (WCAG 2.1.4). */
export function useCharacterKeys(on: boolean): void {
  characters = on
}

/** What of a keyboard event says what it means. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'getModifierState'
>

/**
 * What a key press means; undefined: nothing here. With Alt, Control or Meta a key belongs to the browser and the system, but for
 * undo and redo. A character that a layout has behind AltGr, or behind the Mac's Option, is typed and no such combination.
 */
export function actionOf(press: KeyPress): Action | undefined {
  const { key, altKey, ctrlKey, metaKey } = press
  if (!characters && key.length === 1 && key !== ' ' && !ctrlKey && !metaKey) return undefined
  const typed = typedWithAlt(press)
  if (!typed) {
    if (altKey || press.getModifierState('AltGraph')) return undefined
    if (ctrlKey || metaKey) return history(press)
  }
  return Object.hasOwn(meanings, key) ? meanings[key as keyof typeof meanings] : undefined
}

function history({ key, shiftKey }: KeyPress): 'undo' | 'redo' | undefined {
  // With capitals locked the letter is a capital.
  const letter = key.toLowerCase()
  if (letter === 'z') return shiftKey ? 'redo' : 'undo'
  return letter === 'y' && !shiftKey ? 'redo' : undefined
}

function typedWithAlt(press: KeyPress): boolean {
  const { key, code, altKey, ctrlKey, metaKey } = press
  if (key.length !== 1) return false
  // Windows reports AltGr as Control and Alt, too.
  if (press.getModifierState('AltGraph')) return true
  // Option is Alt to a browser: a bracket on a key that is none was typed with it.
  const bracket = '[]{}'.includes(key)
  return altKey && !ctrlKey && !metaKey && bracket && code !== 'BracketLeft' && code !== 'BracketRight'
}

/** Whether keys are written where they are pressed: single characters are no command there. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=range])')
  )
}
