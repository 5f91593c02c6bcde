import { integer } from '../numbers'

export const loading = {
  label: 'Model',
  takenOver: (name: string) => `${name} is all there: the engine takes it over.`,
  onItsWay: (name: string) => `${name} is on its way:`,
  bytes: (loaded: string, total: string | undefined) => (total === undefined ? loaded : `${loaded} of ${total}`),
  progress: (name: string) => `Loading ${name}`,
  meanwhile: 'What needs no weights is in Read meanwhile: rotary position embedding in ten chapters.',
  turning: (pairs: number, context: number) =>
    `Meanwhile, how it turns: ${integer(pairs)} frequency pairs, each by its own angle a token. Shaded: as far as it gets within ${integer(context)} tokens. Number: tokens a turn.`,
  cancel: 'Cancel',
  notRunning: 'The engine is not running. Your text stays.',
  start: 'Start the engine',
  running: 'The text is being run …',
  none: 'No model is loaded. Read needs none.',
  load: 'Load the model',
  restart: 'Restart engine',
  again: 'Try again',
  dismiss: 'Dismiss',
  dismissIt: (title: string) => `Dismiss: ${title}`,
}
