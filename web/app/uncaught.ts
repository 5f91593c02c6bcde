// Errors and rejected promises that no code of the page has caught.
import { pageTrouble, type Trouble } from '../engine/client/words'

/** Browsers report it where an observer causes another layout: it is put off to the next frame, and nothing is wrong. */
const putOff = /^ResizeObserver loop/

/** Calls `report` with each of them, until the function that it returns is called. */
export function hearUncaught(page: EventTarget, report: (trouble: () => Trouble) => void): () => void {
  const failed = (event: Event) => {
    const { error, message } = event as ErrorEvent
    if (error == null && (!message || putOff.test(message))) return
    report(() => pageTrouble(error ?? message))
  }
  const rejected = (event: Event) => report(() => pageTrouble((event as PromiseRejectionEvent).reason))
  page.addEventListener('error', failed)
  page.addEventListener('unhandledrejection', rejected)
  return () => {
    page.removeEventListener('error', failed)
    page.removeEventListener('unhandledrejection', rejected)
  }
}
