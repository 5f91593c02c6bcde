// The lengths of a row and of its pairs: turning keeps them, adding a position does not.
import { plain } from '../../i18n/format'
import { resource } from '../../session/resource.svelte'
import { equalRow, Ruled } from '../../session/ruled.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../../views/body'
import { Publication } from '../../views/output'
import { t } from './messages.en'
import { drawNorms, kinds, largestChange, lengthsOf, type Kind, type Lengths } from './picture'

export default viewBody(
  {},
  {
    messages: t,
    data({ bench }) {
      const ruled = new Ruled(bench)
      return resource(bench.engine, 'norms', () => {
        const { headSize, base, m, head, ownRows, ownTheta } = ruled
        const { vectors } = bench.choice
        const row = ownRows?.query ?? (vectors === 'equal' ? equalRow(headSize) : undefined)
        const subject = head ? `${head.head.run}-${head.head.layer}-${head.head.head}` : vectors
        return {
          params: { headSize, base, position: m, row, theta: ownTheta, rotated: head !== undefined, seed: 1 },
          run: head,
          subject: [headSize, base, m, subject].join('-'),
        }
      })
    },
    output({ width, height }, { latest, stale, failure }) {
      if (!latest) return { note: failure?.message }
      const { before, rotated, added } = latest.value
      const lengths = { before: lengthsOf(before), rotated: lengthsOf(rotated), added: lengthsOf(added) }
      const { params, run, subject } = latest.key
      const published = { tables: [tableOf(lengths)], subject }
      const sentence = t().changed(
        params.position,
        rounding(largestChange(lengths.before, lengths.rotated)),
        plain(largestChange(lengths.before, lengths.added)),
      )
      return {
        scene: drawNorms(lengths, { width, height: Math.max(280, height - 4) }),
        label: t().help,
        below: [[{ kind: 'text', name: 'scene-caption', text: sentence }]],
        stale,
        published: run ? Publication.from({ run }, published) : Publication.none(published),
      }
    },
  },
)

/** Rounding is a power of ten. */
const rounding = (change: number) => (change < 1e-6 ? change.toExponential(0) : plain(change))

export function tableOf(lengths: Readonly<Record<Kind, Lengths>>): NamedTable {
  const { length } = lengths.before.pairs
  const header = [t().pair, ...kinds.map((kind) => t().kinds[kind])]
  return namedTable(t().table, header, { length: length + 1 }, (_, at) =>
    at < length
      ? [at, ...kinds.map((kind) => lengths[kind].pairs[at] ?? NaN)]
      : [t().row, ...kinds.map((kind) => lengths[kind].row)],
  )
}
