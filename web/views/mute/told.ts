// What is told of what muting did, and its tables.
import { mutedOf, muteOf, spansOf } from '../../session/muted'
import { changeKey, readChange } from '../../session/change'
import { layerTheta } from '../../session/runs.svelte'
import { mute, type MuteTold } from '../../i18n/en/views/mute'
import { tokenName } from '../../i18n/format'
import type { NamedTable } from '../../ui/table'
import { scoreAt } from '../../charts/sweep/model'
import { fillsOf, namedPairs, weightsOf, type Fills } from './model'
import type { Compared } from './mutedScore.svelte'

/** `loss`: what the change adds on the held-out text, as far as it is measured. */
export function tellOf(compared: Compared, loss?: MuteTold['loss']): MuteTold {
  const { whole, shown, query, key, pairs, score } = compared
  const { info } = shown.model
  const change = readChange(shown.changed)
  const { cut, stop } = mutedOf(change, shown.head, info)
  const named = (some: readonly number[]) => {
    const { pairs, preset } = namedPairs(some, layerTheta(whole))
    return { pairs, preset, spans: spansOf(pairs) }
  }
  const tokens = shown.reading.shown
  const token = (position: number) => tokenName(tokens[position] ?? '', position)
  return {
    query: token(query),
    key: token(key),
    layer: shown.head.layer,
    head: shown.head.head,
    heads: info.num_hidden_layers * info.num_attention_heads,
    cut: named(cut),
    stop: named(stop),
    extent: muteOf(change, shown.head, info, { how: 'cut', where: 'head' }).where,
    changed: shown.changed !== '',
    otherwise: changeKey({ ...change, stop: [], cut: [] }) !== '',
    weight: weightsOf(whole, shown, query, key),
    score,
    gave: pairs.reduce((sum, { fate, before }) => (fate === 'cut' ? sum + before : sum), 0),
    guess: guessOf(compared),
    loss,
  }
}

function guessOf({ whole, shown }: Compared): MuteTold['guess'] {
  const [a, b] = [fillsOf(whole, whole, 1), fillsOf(shown, shown, 1)]
  const [before, after] = [a?.fills[0], b?.fills[0]]
  if (!a || !before || !after) return undefined
  return {
    place: placeOf(a, shown.model.info.is_decoder, shown.reading.shown),
    before: before.token,
    after: after.token,
    chance: [mute.percent(before.before ?? 0), mute.percent(after.before ?? 0)],
  }
}

const placeOf = ({ position }: Fills, causal: boolean, tokens: readonly string[]): string =>
  causal ? mute.following : tokenName(tokens[position] ?? '', position)

/** Above the fills. */
export const fillsTitle = (fills: Fills, { shown }: Compared): string =>
  mute.guess(placeOf(fills, shown.model.info.is_decoder, shown.reading.shown))

export function muteTables({ pairs, curves }: Compared, fills: Fills | undefined, words: typeof mute): NamedTable[] {
  const [before, after] = curves
  return [
    {
      name: words.pairTable,
      table: {
        header: words.pairHeader,
        length: pairs.length,
        row(rank) {
          const one = pairs[rank]
          return one ? [one.pair, one.wavelength, one.before, one.after, words.fates[one.fate]] : []
        },
      },
    },
    {
      name: words.sweepTable,
      table: {
        header: words.sweepHeader,
        length: 2 * before.reach + 1,
        row: (index) => [index - before.reach, ...[before, after].map((curve) => scoreAt(curve, index - before.reach))],
      },
    },
    ...(fills
      ? [
          {
            name: words.fillTable,
            table: {
              header: words.fillHeader,
              length: fills.fills.length,
              row(index: number) {
                const fill = fills.fills[index]
                return fill ? [fill.token, fill.before ?? '', fill.after ?? ''] : []
              },
            },
          },
        ]
      : []),
  ]
}
