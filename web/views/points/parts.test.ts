import { expect, it } from 'vitest'
import { headsOfText, statisticIds } from '../../session/headStatistics.svelte'
import { send } from '../../session/resource.svelte'
import { InThreadWorker, openBench } from '../../testing/inThreadWorker'
import { samePlace } from '../../viewstate/choice'
import { cellsOf, partsOfStatistic, shareOf } from './parts'

it.each(['roformer-english', 'roformer-english-causal'])('parts of %s add up to the statistic', async (folder) => {
  const text = 'the dog saw the cat and the cat saw the dog'
  const { bench } = await openBench(new InThreadWorker(), folder, text)
  const run = bench.run!
  const reply = await send(bench.engine, 'statistics', { params: { run: run.id } })
  if (reply.status !== 'ok') throw new Error('no statistics')
  const head = headsOfText(reply.result, false).find((one) => samePlace(one, run.head))!
  const cells = cellsOf(run)
  const queries = new Set(cells.map(({ query }) => query)).size
  const { attention, length } = run.head
  let checked = 0
  for (const id of statisticIds) {
    const share = shareOf(id, run)
    if (!share || id === 'largest') continue
    const sum = cells.reduce((sum, cell) => sum + share(attention[cell.query * length + cell.key]!, cell), 0)
    expect(sum / queries, id).toBeCloseTo(head.numbers[id]!, 4)
    checked++
  }
  expect(checked).toBe(9)
  expect(partsOfStatistic('concentration', run)).toBeUndefined()
  const [first] = partsOfStatistic('largest', run)!
  expect(first!.value).toBe(Math.max(...cells.map(({ query, key }) => attention[query * length + key]!)))
})
