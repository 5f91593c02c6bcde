import { expect, it } from 'vitest'
import type { LayerTap } from '../engine/protocol/site'
import { checkTaps } from './tensors'

it('only its own names are taps', () => {
  checkTaps(['attentions', 'query'])
  for (const name of ['attention', 'constructor', 'toString', '__proto__']) {
    expect(() => checkTaps([name as LayerTap])).toThrow(expect.objectContaining({ code: 'no-tap' }))
  }
})
