// Two fingers on an element: where they are, and whose gesture it is.

/** Their middle in the element, and how far they are apart: CSS px. */
export interface Fingers {
  x: number
  y: number
  distance: number
}

/** How often the visitor has enlarged the page itself. */
const pageScale = () => window.visualViewport?.scale ?? 1

/**
 * Asks `begin` at the first move whether the element follows the gesture, and then tells what it returned of each move. What the
 * element does not follow is the page's own zoom, from that first move to the end; so is every gesture on an enlarged page, which
 * could else not be made small again where an element fills it.
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
    const { left, top } = element.getBoundingClientRect()
    return {
      x: (one.clientX + two.clientX) / 2 - left,
      y: (one.clientY + two.clientY) / 2 - top,
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
