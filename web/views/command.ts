// The command line that gives the numbers of a view.
import type { MutedPairs } from '../state/choice'
import { readChange, spansOf } from '../state/muted'
import type { Shown } from '../state/runs.svelte'

/** A `ropescope run` of the shown text with what was changed in the model; `taps`: what it writes beside the logits. */
export function runCommand({ text, changed, model, head }: Shown, taps: readonly string[]): string {
  const { offset, stop, cut, off } = readChange(changed)
  const muted = (some: readonly MutedPairs[]) =>
    some
      .flatMap(({ layer, head, pairs }) =>
        all(layer, model.info.num_hidden_layers).flatMap((layer) =>
          all(head, model.info.num_attention_heads).flatMap((head) =>
            spansOf(pairs).map(([first, last]) => `${layer}.${head}:${first}-${last}`),
          ),
        ),
      )
      .join()
  const written = [
    'ropescope run',
    `--model models/${model.info.name}`,
    `--text ${quoted(text)}`,
    ...(offset === 0 ? [] : [`--position-offset ${offset}`]),
    ...(stop.length === 0 ? [] : [`--stop-pairs ${muted(stop)}`]),
    ...(cut.length === 0 ? [] : [`--cut-pairs ${muted(cut)}`]),
    ...(off.length === 0 ? [] : [`--heads-off ${off.map((place) => `${place.layer}.${place.head}`).join()}`]),
    `--taps ${taps.join()}`,
    `--output layer-${head.layer}.safetensors`,
  ]
  return written.join(' ')
}

function all(one: number | null, count: number): number[] {
  return one === null ? Array.from({ length: count }, (_, index) => index) : [one]
}

/** As a POSIX shell takes it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
