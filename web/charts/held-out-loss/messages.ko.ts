import { decimal, integer, margin } from '../../i18n/numbers'
import { sentence, strong } from '../../i18n/rich'
import type { Messages } from './messages.en'

/** A difference of losses, with as many digits as distinguish it from 0. */
export const added = (value: number): string => {
  const size = Math.abs(value)
  const text = decimal(size, size < 0.0995 ? 3 : 2)
  return size < 0.0005 ? text : `${value < 0 ? '−' : '+'}${text}`
}

export default {
  name: '학습에 쓰지 않은 텍스트의 손실',
  measure: '학습에 쓰지 않은 책에서 손실 측정',
  each: '쌍마다 하나씩',
  goOn: '계속',
  goOnEach: '쌍마다 계속',
  stop: '멈춤',
  again: '다시 시도',
  measuring: '측정하는 중…',
  notServed: '이 모델에는 학습에 쓰지 않은 텍스트가 딸려 있지 않습니다.',
  progress: '지금까지 측정한 가린 토큰',
  line: ({ before, added: change, error, labels, masked }) => {
    const count = `가린 토큰 ${labels < masked ? `${integer(masked)}개 중 ${integer(labels)}개` : `${integer(masked)}개`}`
    const loss = before === undefined ? '' : `손실 ${decimal(before, 2)} `
    return change === undefined
      ? sentence`${loss}(${count})`
      : sentence`${loss}${strong(added(change))}${margin(error, change)} (${count})`
  },
  hint: (book) =>
    `가린 토큰의 −log p의 평균, 단위는 나트. ± 뒤의 수는 차이의 표준 오차. 학습 데이터에 없는 텍스트${book === '' ? '입니다' : `: “${book}”`}.`,
} satisfies Messages
