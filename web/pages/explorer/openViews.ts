// The open views, front one first.

export const mostPanes = 3

/** Moves or opens the view at the front; the number of panes stays, so the last view may close. */
export function bringToFront(open: readonly string[], id: string): string[] {
  const panes = Math.max(1, open.length)
  return [id, ...open.filter((other) => other !== id)].slice(0, panes)
}

/** Changes the number of panes: closes the last views, or opens the next ones. */
export function withPanes(open: readonly string[], panes: number, all: readonly string[]): string[] {
  const more = all.filter((id) => !open.includes(id))
  return [...open, ...more].slice(0, Math.min(Math.max(panes, 1), mostPanes))
}

/** The open views that exist, at least one. */
export function openOf(open: readonly string[], all: readonly string[]): string[] {
  const there = open.filter((id) => all.includes(id))
  return there.length > 0 ? there : all.slice(0, 1)
}
