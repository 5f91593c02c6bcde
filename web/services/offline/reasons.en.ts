import { messages } from '../../i18n/messages.svelte'

/** Why the page could not be stored. */
const en = {
  noWorkers: 'this browser has no service workers',
  notRunning: 'the service worker does not run',
  ended: 'the browser ended the service worker',
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./reasons.{ko,hu}.ts'))
