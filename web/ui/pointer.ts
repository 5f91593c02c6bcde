// Pointers and fingers: where they are on an element, how they drag, whether they hover, and gestures of two.
import { MediaQuery } from 'svelte/reactivity'

type Drag = PointerEvent & { readonly currentTarget: HTMLElement }

/** CSS px from the upper left corner of an element. */
export function offsetIn(
  element: Element,
  { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>,
): { x: number; y: number } {
  const { left, top } = element.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

/** For an element that follows the pointer while it is pressed, also outside of it. */
export const dragHandlers = (move: (event: Drag) => void, press = move) => ({
  onpointerdown(event: Drag): void {
    event.currentTarget.setPointerCapture(event.pointerId)
    press(event)
  },
  onpointermove(event: Drag): void {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) move(event)
  },
})

let noHover: MediaQuery | undefined

/** Whether the device cannot hover, as a phone with touch alone: words on screen then speak of taps, not of clicks and keys. A signal. */
export function hasNoHover(): boolean {
  if (typeof matchMedia === 'undefined') return false
  noHover ??= new MediaQuery('(hover:none)')
  return noHover.current
}

/** The point between two fingers on an element, and their distance: CSS px. */
export interface Fingers {
  x: number
  y: number
  distance: number
}

/** The page's own zoom. */
const pageScale = () => window.visualViewport?.scale ?? 1

/**
 * The page zooms by a gesture unless `begin` claims it at its first move. An element claims nothing on a page that is zoomed already, so
 * that the visitor can always zoom out.
 *
 * @param begin returns what receives each further move, or undefined to leave the gesture to the page
 */
export function twoFingers(
  element: HTMLElement,
  begin: (from: Fingers, to: Fingers) => ((to: Fingers) => void) | undefined,
): () => void {
  let from: Fingers | undefined
  let follow: ((to: Fingers) => void) | undefined

  function fingers({ touches }: TouchEvent): Fingers | undefined {
    const [one, two] = touches
    if (!one || !two || touches.length > 2) return undefined
    const middle = { clientX: (one.clientX + two.clientX) / 2, clientY: (one.clientY + two.clientY) / 2 }
    return {
      ...offsetIn(element, middle),
      distance: Math.max(1, Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY)),
    }
  }

  function start(event: TouchEvent): void {
    from = fingers(event)
    follow = undefined
  }

  function move(event: TouchEvent): void {
    const to = fingers(event)
    if (!to) return
    if (from && pageScale() === 1) follow = begin(from, to)
    from = undefined
    if (!follow || !event.cancelable) return
    event.preventDefault()
    follow(to)
  }

  const stop = new AbortController()
  const { signal } = stop
  element.addEventListener('touchstart', start, { signal, passive: true })
  element.addEventListener('touchmove', move, { signal, passive: false })
  for (const type of ['touchend', 'touchcancel'] as const) element.addEventListener(type, start, { signal })
  return () => stop.abort()
}
