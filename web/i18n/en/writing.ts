import { integer, plural } from '../numbers'

const tokens = (count: number) => `${integer(count)} ${plural(count, { one: 'token', other: 'tokens' })}`

export const writing = {
  continue: 'Continue',
  stop: 'Stop',
  takeBack: 'Take back',
  takeBackShort: 'take back',
  lastToken: 'last token',
  lastContinuation: 'last continuation',
  speed: (speed: string) => `${speed} tokens/s`,
  ended: {
    end: (count: number) => `the model ended the text after ${tokens(count)}`,
    length: (count: number) => `${tokens(count)}: as long as it may become`,
    stopped: (count: number) => `stopped after ${tokens(count)}`,
  },
  drawn: 'how it is drawn',
  likeliest: 'always the likeliest token',
  setting: {
    temperature: 'temperature',
    topK: 'top-k',
    topP: 'top-p',
    minP: 'min-p',
    repetitionPenalty: 'repetition penalty',
    maxNewTokens: 'longest',
    seed: 'seed',
  },
  zeroTemperature: '0, the likeliest',
  tokens,
  anotherSeed: 'another',
  order:
    'In this order: the penalty makes tokens of the text less likely, the temperature flattens or sharpens, then only the k likeliest stay, of those the likeliest that together have probability p, and of those the ones with at least min-p times the best one’s. The same text, settings and seed give the same continuation. A chat model’s text, too, goes on as it stands here: no chat template is put around it.',
}
