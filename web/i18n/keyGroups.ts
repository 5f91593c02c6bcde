// The groups in which lists of keys are written.

/** Groups of keys, and gestures of fingers and pointers, in the order of a list. */
export const keyGroups = [
  'across',
  'along',
  'ends',
  'pages',
  'take',
  'leave',
  'heads',
  'layers',
  'query',
  'key',
  'mask',
  'compare',
  'figure',
  'undo',
  'redo',
  'keys',
  'wheel',
  'drag',
  'hold',
  'pinch',
] as const

export type KeyGroup = (typeof keyGroups)[number]

/** What the keys of one place do. */
export type KeyWords = Readonly<Partial<Record<KeyGroup, string>>>
