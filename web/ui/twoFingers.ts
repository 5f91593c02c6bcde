// Gestures of two fingers on an element.
import { offsetIn } from './pointer'

/** The point between them in the element, and their distance: CSS px. */
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
