// Pointers and fingers: where they are on an element, how they drag, whether they hover, and gestures of two. A finger that
// rests on a picture hovers like a mouse until it is lifted, and selects nothing.
import { MediaQuery } from 'svelte/reactivity'

/** A place on an element or on the screen, in CSS px. */
export interface Point {
  x: number
  y: number
}

type Drag = PointerEvent & { readonly currentTarget: HTMLElement }

/** CSS px from the upper left corner of an element. */
export function offsetIn(element: Element, { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): Point {
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

/** The point between two fingers on an element, and their distance in CSS px. */
export interface Fingers extends Point {
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

/** The pointer type of a resting finger's events, which views treat as a mouse's. */
export const restingFinger = 'resting-finger'

/** The time of a long press in ms, and how far the finger may move meanwhile in CSS px. */
export const restsFor = 450
const slack = 10

/** Elements with hovering. Fields, links and texts keep the system's long press, and sliders their drag. */
const pictures =
  '[role=application], [role=grid], [role=listbox], [role=toolbar], [role=slider]:not([data-dragged], input)'

export type Hold = { is: 'none' } | ({ is: 'waiting' | 'hovering' } & Point)

export type Touching =
  | { type: 'down' | 'move' | 'up'; fingers: readonly Point[] }
  /** The finger has rested long enough. */
  | { type: 'rested' }

const none: Hold = { is: 'none' }

/** The next state: one finger that rests holds; a second finger, or one that moves on, does not. */
export function next(hold: Hold, touching: Touching): Hold {
  if (touching.type === 'rested') return hold.is === 'waiting' ? { ...hold, is: 'hovering' } : hold
  const [finger, second] = touching.fingers
  if (!finger || second) return none
  if (touching.type === 'down') return { ...finger, is: 'waiting' }
  if (touching.type === 'up' || hold.is === 'none') return none
  if (hold.is === 'hovering') return { ...finger, is: 'hovering' }
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
    if (hold.is === 'hovering') {
      // Ends a drag that the finger began when it touched.
      if (before.is !== 'hovering') dispatch(touched, 'pointercancel', hold, true)
      const found = document.elementFromPoint(hold.x, hold.y)
      const to = found && root.contains(found) ? found : null
      hover(under, to, hold)
      under = to
    } else if (before.is === 'hovering') {
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
    const pressed = hold.is === 'hovering'
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
    if (hold.is === 'hovering' && event.isTrusted) event.stopImmediatePropagation()
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
function hover(from: Element | null, to: Element | null, at: Point): void {
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

function dispatch(element: Element | null, type: string, { x, y }: Point, bubbles: boolean): void {
  element?.dispatchEvent(new PointerEvent(type, { bubbles, clientX: x, clientY: y, pointerType: restingFinger }))
}
