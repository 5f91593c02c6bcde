import type { KeyGroup, KeyWords } from '../keyGroups'

const names: Record<KeyGroup, string> = {
  across: '← →',
  along: '↑ ↓',
  ends: 'Home, End',
  pages: 'Page Up, Page Down',
  take: 'Space, Enter',
  leave: 'Escape',
  heads: '[ ]',
  layers: '{ }',
  query: 'q',
  key: 'k',
  mask: 'm',
  compare: 'b',
  undo: 'Ctrl+Z',
  redo: 'Ctrl+Shift+Z',
  keys: '?',
  wheel: 'wheel',
  drag: 'drag',
  hold: 'long press',
  pinch: 'two fingers',
}

export const keys = {
  title: 'Keys',
  lead: 'Of what is open. Tab leads from one to the next.',
  close: 'Close',
  characters:
    'Single-character shortcuts, such as ? [ ] b. Without them, arrows, Escape and keys with Ctrl or ⌘ still work.',
  /** In a view's menu. */
  all: 'The key ? lists all.',
  names,
  everywhere: 'Everywhere',
  page: {
    undo: 'takes the last choice or typed word back',
    redo: 'and makes it again',
    keys: 'opens this list',
    hold: 'shows what a pointer there would show, and chooses nothing',
  } satisfies KeyWords,
  heads: 'Heads',
  bench: {
    heads: 'the head before, the next',
    layers: 'the same head a layer before, a layer on',
    compare: 'makes it the head to compare with',
  } satisfies KeyWords,
  grid: 'On the grid of all heads',
  gridKeys: {
    across: 'another head',
    along: 'another layer',
    ends: 'the first, the last head',
    pages: 'the first, the last layer',
  } satisfies KeyWords,
  tokens: 'On the tokens',
  tokenKeys: (canMask: boolean): KeyWords => ({
    across: 'the token before, the next',
    ends: 'the first, the last token',
    pages: 'ten tokens back or on',
    query: 'makes it the query',
    key: 'makes it the key',
    ...(canMask ? { mask: 'masks it, or gives the word back' } : {}),
  }),
  figures: 'On the figures',
  figureKeys: {
    across: 'the pair or the place before, the next',
    along: 'the same, or more and less',
    ends: 'the first, the last',
    leave: 'lets the pair go',
  } satisfies KeyWords,
}
