import type { KeyWords } from '../keyGroups'

export const candidates = {
  tab: 'Candidates',
  title: 'Fills and next tokens',
  help: 'The likeliest tokens, and how much probability they hold together. Click one to put it in.',
  source:
    'Probabilities are the softmax of the output head’s logits z over the whole vocabulary. A text that is written on draws from what the settings leave, in Hugging Face’s order: repetition penalty, temperature T, top-k, top-p, min-p. What it does not show: a likely token is one that such texts go on with, not one that is true, and what lies behind the tokens listed here is known only by its sum.',
  keys: {
    along: 'the candidate before, the next',
    ends: 'the likeliest, the last that is listed',
    take: 'puts it in',
  } satisfies KeyWords,
}
