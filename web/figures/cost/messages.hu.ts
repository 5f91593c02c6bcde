import { training } from '../../i18n/facts'
import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  get help() {
    return `Veszteség egy olyan könyvön, amelyet egyik modell sem olvasott, a szövegek hossza szerint. Mind ${integer(training.tokens)} tokenen tanult.`
  },
  get source() {
    const { layers, heads, steps, seeds } = training
    return `training/compare_positions.py: ${integer(layers)} réteg ${integer(heads)} fejjel, ${integer(steps)} lépés, egyenként ${integer(seeds)} véletlenmag; a vonalak a legkisebbtől a legnagyobbig.`
  },
  kinds: { rotary: 'forgatásos', sinusoidal: 'szinuszos', learned: 'tanult táblázat' },
  choice: 'fajták',
  all: 'mindhárom',
  across: 'egy szöveg tokenjei',
  up: 'veszteség (nat)',
  trainedAt: 'tanítási hossz',
  ends: 'itt véget ér',
  counts: 'szorzások egy vektorhoz',
  table: 'veszteség a szöveg hossza szerint',
  columns: ['fajta', 'token', 'átlag', 'legkisebb', 'legnagyobb'],
  costColumns: ['fejméret', 'mátrixként', 'páronként'],
} satisfies Messages
