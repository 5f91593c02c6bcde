// Reports errors and rejected promises that no code catches.
import { pageTrouble, type Trouble } from '../engine/client/words'

/** A ResizeObserver that causes another layout is delayed to the next frame: not a failure. */
const putOff = /^ResizeObserver loop/

/** Returns how to stop. */
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
