import type { Attachment } from 'svelte/attachments'

/**
 * Receives the element's width and height (CSS px, without its border) after each layout that changes them, before it is painted.
 * `bind:clientWidth` reads them at once as well, which lays out the page in the task that mounts it.
 */
export const size =
  (receive: (width: number, height: number) => void): Attachment<HTMLElement> =>
  (element) => {
    const observer = new ResizeObserver(() => receive(element.clientWidth, element.clientHeight))
    observer.observe(element, { box: 'border-box' })
    return () => observer.disconnect()
  }
