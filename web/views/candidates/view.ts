// Fills of a mask, or next tokens: a list to take from, and the cumulative probability over the rank.
import { readChange } from '../../session/change'
import { fillsRead } from '../../session/runs.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../body'
import { fillMaskCommand, runCommand } from '../command'
import { Publication, type Headline, type Published } from '../output'
import { candidatesOf, countForShare, cumulative, remainingOf, type Option } from './data'
import { t } from './messages.en'
import { drawCandidates, listWidthOf, titleOf } from './picture'
import View from './View.svelte'

export default viewBody(
  {},
  {
    messages: t,
    // The run and the continuation have them already.
    data: () => undefined,
    component: View,
    output(inputs) {
      const { run, width } = inputs
      const candidates = candidatesOf(inputs)
      if (!run || !candidates) return { note: t().loading }
      const { options, isNext, position, run: ofRun } = candidates
      const publish = (published: Published) =>
        ofRun === undefined ? undefined : Publication.from({ run: ofRun }, published)
      const place = position === undefined ? undefined : t().mask(run.model.tokenizer.maskToken ?? '', position)
      // `fill-mask` takes no offset.
      const hasOffset = readChange(run.changed).offset !== 0
      const command = isNext || hasOffset ? runCommand(run, []) : fillMaskCommand(run, fillsRead)
      if (options.length === 0) return { note: isNext ? t().loading : t().noMask, published: publish({ command }) }
      return {
        scene: drawCandidates(candidates, titleOf(candidates, place), listWidthOf(width)),
        stale: candidates.run !== run.result.run,
        published: publish({
          headline: headlineOf(options, place),
          tables: [tableOf(options)],
          command,
        }),
      }
    },
  },
)

/** @param place the mask with its position; undefined for the next token */
export function headlineOf(options: readonly Option[], place: string | undefined): Headline | undefined {
  const [best] = options
  if (!best) return undefined
  const { headline, next } = t()
  const remaining = remainingOf(options)
  const mass = cumulative(options, ({ before }) => before).at(-1) ?? 0
  const half = headline.half(countForShare(options, 0.5), options.length, mass)
  if (place !== undefined || !remaining)
    return { title: headline.fill(place ?? next, best.token, best.before), line: half }
  return {
    title: headline.next(best.token, best.after ?? 0, remaining.count),
    line: `${half} ${headline.remaining(remaining.mass)}`,
  }
}

export function tableOf(options: readonly Option[]): NamedTable {
  const sums = cumulative(options, ({ before }) => before)
  const isSampled = remainingOf(options) !== undefined
  const header = isSampled ? [...t().header, t().afterHeader] : t().header
  return namedTable(t().table, header, options, ({ token, id, before, after = 0 }, index) => {
    const row = [index + 1, token, id, before, sums[index] ?? 0]
    return isSampled ? [...row, after] : row
  })
}
