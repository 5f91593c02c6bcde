import { integer } from '../numbers'

export const pairs = {
  part: 'Heads of',
  parts: { encoder: 'encoder', decoder: 'decoder', cross: 'cross' },
  partHints: {
    encoder: 'The source looks at itself.',
    decoder: 'The text looks at what was written before.',
    cross: 'The text looks at the source: each token of the strip behind the start token takes from those before it.',
  },
  source: 'Source',
  sourceHint: 'What the model reads',
  target: 'Text after it',
  targetHint: 'What the model writes, or you',
  beams: 'Beams',
  beamsOwn: (count: number) => `${integer(count)}, as the model says`,
  beamsOf: (count: number) => (count === 1 ? '1: each token drawn' : integer(count)),
  write: 'Write',
}
