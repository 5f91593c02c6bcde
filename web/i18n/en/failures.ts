import { integer } from '../numbers'

/** What the engine and its worker fail with. */
export const failures = {
  noWorker: 'the worker could not be started',
  restarted: 'The engine was restarted.',
  wasm: (why: string) => `Its WebAssembly could not be loaded: ${why}`,
  noEngine: 'The engine did not start, so no model can be loaded. Restart the engine.',
  lostWhileLoading: 'The GPU was lost while the model was loading.',
  cancelled: 'Loading was cancelled.',
  tooManyAngles: (positions: number, pairs: number, most: number) =>
    `${integer(positions)} positions of ${integer(pairs)} pairs have more than ${integer(most)} angles.`,
  clamped: (reach: number) =>
    `Distances cannot be clamped to ${String(reach)}: give a whole number of tokens, 0 or more.`,
  /** Why the page could not be kept for use without a network. */
  keeping: {
    noWorkers: 'this browser has no service workers',
    notRunning: 'the service worker does not run',
    ended: 'the browser ended the service worker',
    answered: (path: string, status: number) => `${path}: the server answered ${status}`,
    otherVersion: (path: string) => `${path} is of another version`,
  },
}
