// What the page asks of the service worker, each with a port for the answers, and what it says there.

export type ToKeeper =
  | { type: 'kept' }
  | { type: 'keep'; models: readonly string[] | 'all' }
  /** Sends the headers that isolate the page, or not any more. */
  | { type: 'isolate'; isolated: boolean }
  /** To a build that waits: take over from the one before. */
  | { type: 'takeOver' }

export type FromKeeper =
  | { type: 'kept'; stored: StoredState }
  | { type: 'progress'; loaded: number; total: number }
  | { type: 'failed'; reason: string }

/** What can be kept, in bytes, and what is. */
export interface StoredState {
  page: { bytes: number; complete: boolean }
  models: readonly { folder: string; bytes: number; complete: boolean }[]
  /** Whether the visitor wants the page isolated. */
  isolates: boolean
}
