import { list, plural } from '../numbers'
import { keeping } from './keeping'

export const offline = {
  title: 'Without a network',
  unavailable: 'Here the page keeps nothing for use without a network: the browser lets only pages from https do so.',
  starting: 'After the first result the page and its model are kept on this machine.',
  removed: 'Nothing is kept on this machine.',
  kept: (bytes: string, models: readonly string[], all: boolean) =>
    `${bytes} kept on this machine: ${all ? 'the page and all its models' : list(['the page', ...models])} ${plural(models.length + 1, { one: 'works', other: 'work' })} without a network.`,
  lost: 'The browser has thrown away what was kept of the page.',
  keepAll: (bytes: string | undefined) => `Keep everything for offline use${bytes ? ` (${bytes} more)` : ''}`,
  progress: 'What is kept so far',
  bytes: (loaded: string, total: string) => `${loaded} of ${total}`,
  remove: 'Remove what is kept',
  failed: (reason: string) => `Not everything could be kept (${reason}).`,
  keeping,
  newer:
    'A newer version of this page is ready. It comes when all tabs of this one are closed, or now: this tab loses its steps to undo, what was measured and a model that was opened from files; other tabs ask before they lose such things.',
  useNewer: 'Reload all tabs',
  tookOver: {
    title: 'Another tab has changed to a newer version of this page',
    text: (losses: readonly string[]) =>
      `This tab goes on with the older one, and some of its parts may not open any more. Reload it when you are done: the text stays, but a reload loses ${list(losses)}.`,
    reload: 'Reload this tab',
  },
  unsaved: {
    files: 'the model that you opened from files',
    writing: 'the continuation that is being written',
    losses: 'the losses that were measured',
    undo: 'the steps to undo',
  },
}
