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
  name: 'Veszteség a tanításból kihagyott szövegen',
  measure: 'Veszteség mérése kihagyott könyvön',
  each: 'Minden pár külön',
  goOn: 'Folytatás',
  goOnEach: 'Folytatás páronként',
  stop: 'Állj',
  again: 'Újra',
  measuring: 'Mérés…',
  notServed: 'Ehhez a modellhez nem tartozik a tanításból kihagyott szöveg.',
  progress: 'Eddig megmért maszkolt tokenek',
  line: ({ before, added: change, error, labels, masked }) => {
    const count =
      labels < masked ? `${integer(masked)} maszkolt tokenből ${integer(labels)}` : `${integer(masked)} maszkolt token`
    const loss = before === undefined ? '' : `veszteség: ${decimal(before, 2)} `
    return change === undefined
      ? sentence`${loss}(${count})`
      : sentence`${loss}${strong(added(change))}${margin(error, change)} (${count})`
  },
  hint: (book) =>
    `A maszkolt tokenek −log p értékének átlaga, natban; a ± után: a különbség standard hibája. Nem szerepel a tanítóadatokban: ${book === '' ? 'ez a szöveg' : `„${book}”`}.`,
} satisfies Messages
