// Which residues of a protein touch, by the regression over all maps that is stored in ESM's file.
import { resource } from '../../session/resource.svelte'
import type { Run } from '../../session/runs.svelte'
import { walkCell } from '../../ui/walk'
import { viewBody } from '../body'
import { runCommand } from '../command'
import { Publication, type Headline, type Target } from '../output'
import { longestProtein, pairsOf, partners, residueAt } from './data'
import { t } from './messages.en'
import { drawContacts, hitAt, layOut, residueName, type ContactMap } from './picture'
import { namedTable, type NamedTable } from '../../ui/table'

const lengthOf = (run: Run | undefined) => run?.head.length ?? 0
const isReadable = (run: Run | undefined) => lengthOf(run) > 2 && lengthOf(run) <= longestProtein

export default viewBody(
  {},
  {
    messages: t,
    data: (inputs) =>
      resource(inputs.bench.engine, 'contacts', () => {
        const { run } = inputs
        return run && isReadable(run) ? { params: { run: run.result.run }, run } : undefined
      }),
    output({ run, cursor, palette, width, height }, contacts) {
      if (lengthOf(run) > longestProtein) return { note: t().tooLong(longestProtein, lengthOf(run)) }
      if (run && !isReadable(run)) return { note: t().tooShort }
      const { latest } = contacts
      if (!latest) return { note: contacts.failure?.message ?? t().loading }

      const { count, numbers } = latest.value
      const [one, other] = [residueAt(cursor.query, count), residueAt(cursor.key, count)]
      const map: ContactMap = { contacts: latest.value, tokens: latest.key.run.reading.display, one, other, palette }
      const layout = layOut(width, Math.max(height, 280))
      const name = (residue: number) => residueName(map, residue)
      const select = (one: number, other: number): Target => ({
        cursor: { query: one + 1, key: other + 1 },
        say: t().moved(name(one), name(other), numbers[one * count + other] ?? 0),
      })
      return {
        scene: drawContacts(map, layout),
        label: t().label(name(one), name(other)),
        stale: contacts.stale,
        published: Publication.from(latest.value, {
          headline: headlineOf(map),
          tables: tablesOf(map),
          subject: '',
          command: runCommand(latest.key.run, ['contacts']),
        }),
        hit: (x, y) => {
          const hit = hitAt(x, y, layout, count)
          if (!hit || contacts.stale) return undefined
          if ('one' in hit) return select(hit.one, hit.other)
          const partner = partners(latest.value, one)[hit.row]
          return partner && select(partner.one, partner.other)
        },
        keys: (action) => {
          const to = contacts.stale
            ? undefined
            : walkCell({ query: one, key: other }, action, { queries: count, keys: count })
          return to && select(to.query, to.key)
        },
      }
    },
  },
)

export function headlineOf(map: ContactMap): Headline {
  const pairs = pairsOf(map.contacts)
  const [first] = pairs
  if (!first) return { title: t().alone, line: '' }
  const { one, other, probability } = first
  const title = t().headline(residueName(map, one), residueName(map, other), probability, other - one)
  return { title, line: t().line(pairs.filter((pair) => pair.probability > 0.5).length) }
}

export function tablesOf(map: ContactMap): NamedTable[] {
  const { count, numbers } = map.contacts
  const names = Array.from({ length: count }, (_, residue) => residueName(map, residue))
  const pairs = pairsOf(map.contacts)
  return [
    namedTable(t().tables.contacts, [t().corner, ...names], names, (name, one) => [
      name,
      ...numbers.subarray(one * count, (one + 1) * count),
    ]),
    namedTable(t().tables.pairs, t().pairColumns, pairs, ({ one, other, probability }) => [
      names[one] ?? '',
      names[other] ?? '',
      other - one,
      probability,
    ]),
  ]
}
