// What the page asks of the service worker, each with a port for the replies, and its replies.

/** These names stay in every build: a page may talk to the service worker of another build. */
export const wire = { isolated: 'wanted', stored: 'kept', complete: 'kept' } as const

export type ToServiceWorker =
  | { type: 'keep'; models: readonly string[] | 'all' }
  /** Sends the headers that isolate the page, or stops sending them. */
  | { type: 'isolate'; [wire.isolated]: boolean }
  /** To a build that waits: replace the former one. */
  | { type: 'takeOver' }

export type FromServiceWorker =
  | { type: 'kept'; [wire.stored]: StoredState }
  | { type: 'progress'; loaded: number; total: number }
  | { type: 'failed'; reason: string }

/** What can be stored, in bytes, and what is. */
export interface StoredState {
  page: { bytes: number; [wire.complete]: boolean }
  models: readonly { folder: string; bytes: number; [wire.complete]: boolean }[]
  /** Whether the visitor chose to isolate the page. */
  isolates: boolean
}
