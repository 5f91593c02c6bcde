import { expect, it } from 'vitest'
import { soon, started } from './fakeHost'

it('a trial tells what a rotation is made by, and all that an attention holds', async () => {
  const { ask, posted, calls } = await started()
  for (const [id, what, bytes] of [
    [2, 'fused', 32],
    [3, 'linear', 64],
  ] as const) {
    ask(id, 'trial', { what, length: 3, headSize: 2 })
    await soon()
    await soon()
    expect(posted.at(-1)).toMatchObject({ id, result: { milliseconds: 4, bytes, numbers: Float64Array.of(0.5) } })
    expect(calls.at(-1)?.name).toBe(`trial ${what} 3 2`)
  }
})
