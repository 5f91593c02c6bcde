import type { Messages } from './reasons.en'

export default {
  noWorkers: 'ebben a böngészőben nincs service worker',
  notRunning: 'a service worker nem fut',
  ended: 'a böngésző leállította a service workert',
} satisfies Messages
