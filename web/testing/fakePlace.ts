// A window with a link and a history that work.

import type { Place } from '../viewstate/address'

export function fakePlace(hash = '') {
  const entries: { hash: string; state: unknown }[] = [{ hash, state: null }]
  const listeners: Record<string, () => void> = {}
  let at = 0
  let refused = false
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
        if (refused) throw new DOMException('', 'SecurityError')
        entries.splice(++at, Infinity, { hash: url, state })
      },
      replaceState(state: unknown, _: string, url: string) {
        if (refused) throw new DOMException('', 'SecurityError')
        entries[at] = { hash: url, state }
      },
    },
    addEventListener: (type, listener) => void (listeners[type] = listener),
  }
  /** Steps back or ahead. */
  const go = (steps: number) => {
    const before = entry().hash
    at += steps
    listeners['popstate']?.()
    if (entry().hash !== before) listeners['hashchange']?.()
  }
  /** Follows a link within the page. */
  const follow = (to: string) => {
    entries.splice(++at, Infinity, { hash: to, state: null })
    listeners['popstate']?.()
    listeners['hashchange']?.()
  }
  /** Whether the browser writes no entries, as Safari does after a hundred within half a minute. */
  const refuse = (now: boolean) => (refused = now)
  return { place, entries, go, follow, refuse, leave: () => listeners['pagehide']?.() }
}
