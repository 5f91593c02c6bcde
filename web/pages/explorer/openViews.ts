// Which views are open in the stage, the front one first.

export const mostPanes = 3

/** The view comes to the front; there are as many panes as before, so that the last one gives way to one that was not open. */
export function bringToFront(open: readonly string[], id: string): string[] {
  const panes = Math.max(1, open.length)
  return [id, ...open.filter((other) => other !== id)].slice(0, panes)
}

/** So many panes: the last ones go, or the next of all views come. */
export function withPanes(open: readonly string[], panes: number, all: readonly string[]): string[] {
  const more = all.filter((id) => !open.includes(id))
  return [...open, ...more].slice(0, Math.min(Math.max(panes, 1), mostPanes))
}

/** The open ones that there are; at least one. */
export function openOf(open: readonly string[], all: readonly string[]): string[] {
  const there = open.filter((id) => all.includes(id))
  return there.length > 0 ? there : all.slice(0, 1)
}
