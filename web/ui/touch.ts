// Whether words on screen speak of taps or of clicks and keys.
import { MediaQuery } from 'svelte/reactivity'

let noHover: MediaQuery | undefined

/** Whether the device cannot hover, as a phone with touch alone. A signal. */
export function hasNoHover(): boolean {
  if (typeof matchMedia === 'undefined') return false
  noHover ??= new MediaQuery('(hover:none)')
  return noHover.current
}
