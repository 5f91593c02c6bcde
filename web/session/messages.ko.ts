import { integer } from '../i18n/numbers'
import type { Messages } from './messages.en'

const again = 'ropescope heads로 다시 만들거나 삭제하세요.'

export default {
  describedHeads: {
    noJson: `heads.json이 JSON이 아닙니다. ${again}`,
    others: (layers, heads) =>
      `heads.json이 이 모델의 ${integer(layers)} × ${integer(heads)} 헤드를 설명하지 않습니다. ${again}`,
    book: '학습에 쓰지 않은 텍스트',
  },
  heldOut: {
    unreadable: (file, why) => `${file}: ${why}. training/held_out.py로 다시 만들거나 삭제하세요.`,
    noJson: 'JSON이 아닙니다',
    noRows: '행의 수와 행마다의 토큰 수가 적혀 있지 않습니다',
    tooLong: (tokens, most) => `행의 길이가 토큰 ${integer(tokens)}개인데 이 모델은 ${integer(most)}개까지 읽습니다`,
    noBits: '토큰의 비트 수가 적혀 있지 않습니다',
    tooShort: '적힌 수보다 토큰이 적습니다',
    noSpecial: '특수 토큰이 적혀 있지 않습니다',
    unknownTokens: '이 모델에 없는 토큰이 들어 있습니다',
    noMasks: '가려진 토큰이 없습니다',
  },
} satisfies Messages
