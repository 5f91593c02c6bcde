// All heads as points, by two of their statistics on the text or on a book.
import { headName } from '../../i18n/format'
import { resource } from '../../session/resource.svelte'
import { rankOf, statisticOf, type MeasuredHead, type StatisticId } from '../../session/headStatistics.svelte'
import { samePlace, type HeadPlace } from '../../viewstate/choice'
import { viewBody } from '../body'
import { runCommand } from '../command'
import { Publication, type Headline, type Published } from '../output'
import { params } from '.'
import { needsWalk, pointsOf, tableOf, tableWidthOf, targetOf, walk, type Axes } from './data'
import { t } from './messages.en'
import { drawPoints, layOut, pointAt } from './picture'
import View from './View.svelte'

/** The picture is at least this high where it is not brief. */
const leastHeight = 190

export default viewBody(params, {
  messages: t,
  component: View,
  data(inputs) {
    const { engine, everyHead } = inputs.bench
    everyHead.needWhile(() => needsWalk(inputs))
    return resource(engine, 'statistics', () => {
      const { run, params } = inputs
      return run && params.from === 'text' ? { params: { run: run.result.run }, run } : undefined
    })
  },
  output(inputs, statistics) {
    const { run, bench, cursor, params, width, height, brief } = inputs
    const { latest, stale } = statistics
    const { heads, known, axes, book } = pointsOf(inputs, statistics)
    if (!run || !axes) {
      if (params.from === 'book') return { note: t().noBook }
      return { note: statistics.failure ? t().noStatistics : t().loading }
    }
    const table = tableWidthOf(width)
    const layout = layOut(
      width - (table > 0 ? table + 20 : 0),
      brief ? height : Math.max(leastHeight, height),
      heads,
      axes,
    )
    const isStale = book === undefined && stale
    const measuredRun = book === undefined ? latest?.key.run : undefined
    const publish = (published: Published) =>
      book === undefined
        ? measuredRun && Publication.from({ run: measuredRun }, published)
        : Publication.none(published)
    const over = book === undefined ? t().overText(measuredRun?.head.length ?? 0) : t().overBook(book)
    const highlight = heads.find((head) => samePlace(head, bench.head))
    const select = (place: HeadPlace | undefined) => place && targetOf({ heads, axes }, place, isStale)
    return {
      scene: drawPoints(heads, axes, layout, { selected: cursor, preview: bench.head }),
      label: t().label(heads.length),
      stale: isStale,
      published: publish({
        headline: highlight && headlineOf(heads, highlight, axes, over),
        tables: [tableOf(heads, known)],
        subject: '',
        command: measuredRun && runCommand(measuredRun, ['attentions']),
      }),
      hit: (x, y) => select(pointAt(x, y, layout)),
      preview: (x, y) => {
        const head = pointAt(x, y, layout)
        return head && { layer: head.layer, head: head.head }
      },
      keys: (action) => select(walk(action, cursor, heads, axes)),
    }
  },
})

/** @param over what the heads were measured on */
export function headlineOf(heads: readonly MeasuredHead[], head: MeasuredHead, { x, y }: Axes, over: string): Headline {
  const differs = [x, y].some((id) => heads.some(({ numbers }) => numbers[id] !== head.numbers[id]))
  if (!differs) return t().headlineEqual(heads.length, over)
  const ranked = (statistic: StatisticId) => ({
    statistic,
    value: head.numbers[statistic] ?? 0,
    unit: statisticOf(statistic).unit,
    ...rankOf(heads, statistic, head),
  })
  return t().headline(headName(head), heads.length, ranked(y), ranked(x), over)
}
