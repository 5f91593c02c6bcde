// A finger that rests on a picture hovers like a mouse until it is lifted, and selects nothing.

/** The pointer type of a resting finger's events, which views treat as a mouse's. */
export const restingFinger = 'resting-finger'

/** The time of a long press in ms, and how far the finger may move meanwhile in CSS px. */
const restsFor = 450
const slack = 10

/** Elements with hovering. Fields, links and texts keep the system's long press, and sliders their drag. */
const pictures =
  '[role=application], [role=grid], [role=listbox], [role=toolbar], [role=slider]:not([data-dragged], input)'

export interface Finger {
  x: number
  y: number
}

export type Hold = { is: 'none' } | ({ is: 'waiting' | 'held' } & Finger)

export type Touching =
  | { type: 'down' | 'move' | 'up'; fingers: readonly Finger[] }
  /** The finger has rested long enough. */
  | { type: 'rested' }

const none: Hold = { is: 'none' }

/** The next state: one finger that rests holds; a second finger, or one that moves on, does not. */
export function next(hold: Hold, touching: Touching): Hold {
  if (touching.type === 'rested') return hold.is === 'waiting' ? { ...hold, is: 'held' } : hold
  const [finger, second] = touching.fingers
  if (!finger || second) return none
  if (touching.type === 'down') return { ...finger, is: 'waiting' }
  if (touching.type === 'up' || hold.is === 'none') return none
  if (hold.is === 'held') return { ...finger, is: 'held' }
  return Math.hypot(finger.x - hold.x, finger.y - hold.y) > slack ? none : hold
}

/** Makes resting fingers hover over the pictures within an element. */
export function holdToHover(root: HTMLElement): () => void {
  let hold: Hold = none
  let timer: ReturnType<typeof setTimeout> | undefined
  let touched: Element | null = null
  let under: Element | null = null

  function take(touching: Touching): void {
    const before = hold
    hold = next(hold, touching)
    if (hold.is !== 'waiting') clearTimeout(timer)
    else if (before.is !== 'waiting') timer = setTimeout(() => take({ type: 'rested' }), restsFor)
    if (hold.is === 'held') {
      // Ends a drag that the finger began when it touched.
      if (before.is !== 'held') dispatch(touched, 'pointercancel', hold, true)
      const found = document.elementFromPoint(hold.x, hold.y)
      const to = found && root.contains(found) ? found : null
      hover(under, to, hold)
      under = to
    } else if (before.is === 'held') {
      hover(under, null, before)
      under = null
    }
  }

  function touch(event: TouchEvent): void {
    const fingers = Array.from(event.touches, ({ clientX: x, clientY: y }) => ({ x, y }))
    if (event.type === 'touchstart') {
      touched = event.target instanceof Element ? event.target : null
      if (touched?.closest(pictures)) take({ type: 'down', fingers })
      return
    }
    const pressed = hold.is === 'held'
    take({ type: event.type === 'touchmove' ? 'move' : 'up', fingers })
    // A finger that hovers neither scrolls nor clicks.
    if (pressed && event.cancelable) event.preventDefault()
  }

  /** Some systems report a long press earlier, by their menu, which stays closed. */
  function menu(event: Event): void {
    if (hold.is === 'none') return
    event.preventDefault()
    take({ type: 'rested' })
  }

  /** Stops the finger's own events, which would scroll, drag or select. */
  function keep(event: Event): void {
    if (hold.is === 'held' && event.isTrusted) event.stopImmediatePropagation()
  }

  const stop = new AbortController()
  const { signal } = stop
  for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const)
    root.addEventListener(type, touch, { signal, passive: type === 'touchstart' })
  root.addEventListener('contextmenu', menu, { signal })
  for (const type of ['move', 'over', 'out', 'enter', 'leave', 'up'])
    root.addEventListener(`pointer${type}`, keep, { signal, capture: true })
  return () => {
    clearTimeout(timer)
    stop.abort()
  }
}

/** Sends the events of a mouse that moves from one element to another. */
function hover(from: Element | null, to: Element | null, at: Finger): void {
  if (from !== to) {
    dispatch(from, 'pointerout', at, true)
    for (const one of above(from)) if (!one.contains(to)) dispatch(one, 'pointerleave', at, false)
    dispatch(to, 'pointerover', at, true)
    for (const one of above(to).reverse()) if (!one.contains(from)) dispatch(one, 'pointerenter', at, false)
  }
  dispatch(to, 'pointermove', at, true)
}

function above(element: Element | null): Element[] {
  const all: Element[] = []
  for (let one = element; one; one = one.parentElement) all.push(one)
  return all
}

function dispatch(element: Element | null, type: string, { x, y }: Finger, bubbles: boolean): void {
  element?.dispatchEvent(new PointerEvent(type, { bubbles, clientX: x, clientY: y, pointerType: restingFinger }))
}
