import { training } from '../../i18n/facts'
import { integer } from '../../i18n/numbers'
import type { Messages } from './messages.en'

export default {
  get help() {
    return `Veszteség egy olyan könyvön, amelyet egyik modell sem olvasott, a sorok hossza szerint. Mind ${integer(training.tokens)} tokenen tanult.`
  },
  get source() {
    const { layers, heads, steps, seeds } = training
    return `training/compare_positions.py: ${integer(layers)} réteg ${integer(heads)} fejjel, ${integer(steps)} lépés, egyenként ${integer(seeds)} véletlenmag; a vonalak a legkisebbtől a legnagyobbig.`
  },
  kinds: { rotary: 'rotációs', sinusoidal: 'szinuszos', learned: 'tanult táblázat' },
  choice: 'fajták',
  all: 'mindhárom',
  across: 'egy sor tokenjei',
  up: 'veszteség (nat)',
  trainedAt: 'tanított hossz',
  ends: 'itt véget ér',
  counts: 'szorzások egy sorhoz',
  table: 'veszteség a sor hossza szerint',
  columns: ['fajta', 'token', 'átlag', 'legkisebb', 'legnagyobb'],
  costColumns: ['fejméret', 'mátrixként', 'páronként'],
} satisfies Messages
