// Words for fingers, where nothing can hover.
import { MediaQuery } from 'svelte/reactivity'

let fingers: MediaQuery | undefined

/** Whether a device has fingers alone. A signal. */
export function isTouched(): boolean {
  if (typeof matchMedia === 'undefined') return false
  fingers ??= new MediaQuery('(hover:none)')
  return fingers.current
}
