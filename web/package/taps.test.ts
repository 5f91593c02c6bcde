import { expect, it } from 'vitest'
import { checkTaps, type Tap } from './taps'

it('only its own names are taps', () => {
  checkTaps(['attentions', 'query'])
  for (const name of ['attention', 'constructor', 'toString', '__proto__']) {
    expect(() => checkTaps([name as Tap])).toThrow(expect.objectContaining({ code: 'no-tap' }))
  }
})
