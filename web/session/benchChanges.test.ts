import { describe, expect, it } from 'vitest'
import { noInterventions } from './interventions'
import { link, setUp, text } from '../testing/fakeBench'
import { headOf, soon } from '../testing/fakeEngine'

describe('a change of the model', () => {
  it('runs the text once more, beside the result with nothing changed', async () => {
    const { bench, worker, runs } = await setUp()
    await worker().ran()
    const run = bench.run
    bench.choose({
      ablated: [{ layer: 2, head: null, pairs: [0] }],
      ablatedHeads: [
        { layer: 9, head: 0 },
        { layer: 1, head: 2 },
      ],
    })
    expect(bench.current).toBe(false)
    await soon()
    expect(runs().length).toBe(2)
    expect(runs()[1]?.params.request.change).toEqual({
      muted: [{ layer: 2, head: null, pairs: [0], kind: 'ablated' }],
      ablatedHeads: [{ layer: 1, head: 2 }],
    })
    await worker().ran()
    expect([bench.current, bench.baseline === run, bench.run === run]).toEqual([true, true, false])
    bench.choose({ ablated: [], ablatedHeads: [] })
    await soon()
    await worker().ran()
    expect([bench.run?.interventions, bench.baseline === bench.run]).toEqual(['', true])
  })

  it('by another rope asks for other heads of the text as it is by what was run', async () => {
    const { bench, worker, runs } = await setUp(link({ scaling: '{"rope_type":"linear","factor":2}' }))
    await worker().ran()
    await worker().ran()
    bench.choose({ layer: 1, head: 3 })
    await soon()
    const { requests, answer } = { requests: () => worker().requests('head'), answer: worker().answer.bind(worker()) }
    await answer(requests()[0]!, headOf(runs()[1]!.id, 1, 3, 8))
    expect([bench.run?.head.layer, bench.baseline?.head.layer]).toEqual([1, 2])
    const baseline = () => worker().requests('comparisonHead')
    expect(baseline()[0]?.params).toMatchObject({ layer: 1, head: 3, positionOffset: 0 })
    expect(baseline()[0]?.params).not.toHaveProperty('change')
    await answer(baseline()[0]!, headOf(baseline()[0]!.id, 1, 3, 8))
    expect(bench.baseline?.head).toMatchObject({ run: baseline()[0]!.id, layer: 1, head: 3 })
    bench.choose({ layer: 0, head: 0 })
    await soon()
    await answer(requests()[1]!, headOf(runs()[1]!.id, 0, 0, 8))
    expect(baseline()[1]?.params).toMatchObject({ layer: 0, head: 0 })
    await answer(baseline()[1]!, headOf(baseline()[0]!.id, 0, 0, 8))
    // A head that was read before asks nothing.
    bench.choose({ layer: 1, head: 3 })
    await soon()
    expect(bench.baseline?.head).toMatchObject({ layer: 1, head: 3 })
    expect([baseline().length, requests().length, runs().length]).toEqual([2, 2, 2])
  })

  it('that a link brings runs the text with nothing changed first', async () => {
    const { bench, worker, runs } = await setUp(link({ offset: '100' }))
    expect(runs()[0]?.params.request.positionOffset).toBe(0)
    await worker().ran()
    expect(runs()[1]?.params.request.positionOffset).toBe(100)
    await worker().ran()
    expect([bench.baseline?.interventions, bench.run?.interventions === '']).toEqual(['', false])
  })

  it('is undone, put back and done again; by what no heads are replaced runs nothing', async () => {
    const { bench, worker, runs } = await setUp()
    await worker().ran()
    bench.choose({ headReplacement: 'mean' })
    await soon()
    expect(runs().length).toBe(1)
    bench.choose({ ablatedHeads: [{ layer: 1, head: 2 }] })
    bench.choose({ logN: 512 })
    bench.choose({ distanceClamp: 8 })
    bench.choose({ rotatesValues: true })
    bench.choose({ scaling: '{"rope_type":"linear","factor":2}' })
    await soon()
    expect(runs().at(-1)?.params.request.change).toEqual({
      muted: [],
      ablatedHeads: [{ layer: 1, head: 2 }],
      headReplacement: 'mean',
      ropeScaling: '{"rope_type":"linear","factor":2}',
      rotatesValues: true,
      logN: 512,
      distanceClamp: 8,
    })
    bench.undo()
    bench.undo()
    expect(bench.choice).toMatchObject({ scaling: '', rotatesValues: false, distanceClamp: 8, logN: 512 })
    bench.choose(noInterventions)
    expect(bench.choice).toMatchObject({ ablatedHeads: [], headReplacement: 'zero', logN: null, distanceClamp: null })
    bench.undo()
    expect(bench.choice).toMatchObject({
      ablatedHeads: [{ layer: 1, head: 2 }],
      headReplacement: 'mean',
      distanceClamp: 8,
      logN: 512,
    })
  })

  it('that the engine refuses leaves the text and what was chosen, and says why', async () => {
    const { bench, engine, worker, runs } = await setUp(link({ logN: '0.5' }))
    await worker().ran()
    const failure = { code: 'invalid-log-n', message: 'log-n: n is 0.5', retryable: false }
    worker().say({ type: 'failed', id: runs()[1]!.id, failure })
    await soon()
    expect(engine.troubles.run?.()).toMatchObject({
      title: expect.stringContaining('this change'),
      text: failure.message,
    })
    // It is shown as it is without that change.
    expect([bench.choice.text, bench.choice.logN, bench.run?.interventions]).toEqual([text, 0.5, ''])
    expect([bench.current, bench.pending]).toEqual([false, false])
    bench.choose({ logN: null })
    await soon()
    expect([engine.troubles.run, bench.current, runs().length]).toEqual([undefined, true, 2])
  })

  it('that is put back while it runs is not what is shown in the end', async () => {
    const { bench, worker, runs } = await setUp()
    await worker().ran()
    bench.choose({ distanceClamp: 8 })
    await soon()
    bench.choose({ distanceClamp: null })
    await soon()
    expect(runs().length).toBe(3)
    await worker().refuse(runs()[1]!, 'superseded')
    await worker().ran()
    expect([bench.run?.interventions, bench.current, bench.pending]).toEqual(['', true, false])
  })
})
