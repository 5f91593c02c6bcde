// For tests: a window with a link and a history that work.

import type { Place } from './address'

export function fakePlace(hash = '') {
  const entries: { hash: string; state: unknown }[] = [{ hash, state: null }]
  const listeners: Record<string, () => void> = {}
  let at = 0
  const entry = () => entries[at] ?? { hash: '', state: null }
  const place: Place = {
    location: {
      get hash() {
        return entry().hash
      },
    },
    history: {
      get state() {
        return entry().state
      },
      pushState(state: unknown, _: string, url: string) {
        entries.splice(++at, Infinity, { hash: url, state })
      },
      replaceState(state: unknown, _: string, url: string) {
        entries[at] = { hash: url, state }
      },
    },
    addEventListener: (type, listener) => void (listeners[type] = listener),
  }
  /** Steps back or ahead. */
  const go = (steps: number) => {
    at += steps
    listeners['popstate']?.()
  }
  /** Follows a link within the page. */
  const follow = (to: string) => {
    entries.splice(++at, Infinity, { hash: to, state: null })
    listeners['popstate']?.()
    listeners['hashchange']?.()
  }
  return { place, entries, go, follow, leave: () => listeners['pagehide']?.() }
}
