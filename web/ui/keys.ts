// The table of keys: the action of a key press, and the groups of lists of keys. Views know actions, no keys.

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
  // On many keyboards brackets need a second key.
  p: 'headBack',
  n: 'headOn',
  P: 'layerBack',
  N: 'layerOn',
  q: 'query',
  k: 'key',
  m: 'mask',
  e: 'explain',
  b: 'compare',
  f: 'figure',
  '?': 'keys',
} as const

export type Action = (typeof meanings)[keyof typeof meanings] | 'undo' | 'redo'

let characters = true

/** Whether single characters are keys: visitors who dictate can switch them off (WCAG 2.1.4). */
export function useCharacterKeys(on: boolean): void {
  characters = on
}

/** The fields of a keyboard event that decide its action. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'getModifierState'
>

/**
 * The action of a key press, if it has one. With Alt, Control or Meta a key belongs to browser and system, except undo and redo. A
 * character that a layout has on AltGr or the Mac's Option counts as typed without them.
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
  // Caps Lock.
  const letter = key.toLowerCase()
  if (letter === 'z') return shiftKey ? 'redo' : 'undo'
  return letter === 'y' && !shiftKey ? 'redo' : undefined
}

function typedWithAlt(press: KeyPress): boolean {
  const { key, code, altKey, ctrlKey, metaKey } = press
  if (key.length !== 1) return false
  // Windows reports AltGr as Control and Alt, too.
  if (press.getModifierState('AltGraph')) return true
  // Browsers report Option as Alt: a bracket on another key was typed with it.
  const bracket = '[]{}'.includes(key)
  return altKey && !ctrlKey && !metaKey && bracket && code !== 'BracketLeft' && code !== 'BracketRight'
}

/** Whether a dialog is open: it handles its own keys. */
export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null

/** Whether this element takes text, so that single characters are no keys. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=range])')
  )
}

/** Groups of keys, and gestures of fingers and pointers, in the order of a list. */
export const keyGroups = [
  'across',
  'along',
  'ends',
  'pages',
  'take',
  'leave',
  'heads',
  'layers',
  'query',
  'key',
  'mask',
  'explain',
  'compare',
  'figure',
  'undo',
  'redo',
  'keys',
  'wheel',
  'drag',
  'hold',
  'twice',
  'pinch',
] as const

export type KeyGroup = (typeof keyGroups)[number]

/** What the keys of one place do. */
export type KeyWords = Readonly<Partial<Record<KeyGroup, string>>>
