// Why the page could not be kept. It imports nothing: the service worker is built without Svelte.
export const keeping = {
  noWorkers: 'this browser has no service workers',
  notRunning: 'the service worker does not run',
  ended: 'the browser ended the service worker',
  answered: (path: string, status: number) => `${path}: the server answered ${status}`,
  otherVersion: (path: string) => `${path} is of another version`,
}
