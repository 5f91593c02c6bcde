// What is said of a text that the model writes on.

import type { Ended } from '../../state/generation.svelte'
import type { Sampling } from '../../engine/protocol'

export function endWords({ why, tokens }: Ended): string {
  const count = tokens === 1 ? '1 token' : `${tokens} tokens`
  switch (why) {
    case 'end':
      return `the model ended the text with its ${ordinal(tokens)} token`
    case 'length':
      return `${count}: as long as it may become`
    case 'stopped':
      return `stopped after ${count}`
  }
}

function ordinal(count: number): string {
  const teens = count % 100 > 10 && count % 100 < 14
  const ending = teens ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th')
  return `${count}${ending}`
}

/** The settings in a line: those that do something. */
export function samplingWords({ temperature, topK, topP, minP, repetitionPenalty, seed }: Sampling): string {
  const repeats = repetitionPenalty === 1 ? [] : [`repetition penalty ${short(repetitionPenalty)}`]
  if (temperature === 0) return ['always the likeliest token', ...repeats].join(', ')
  return [
    `temperature ${short(temperature)}`,
    `top-k ${topK}`,
    ...(topP === 1 ? [] : [`top-p ${short(topP)}`]),
    ...(minP === 0 ? [] : [`min-p ${short(minP)}`]),
    ...repeats,
    `seed ${seed}`,
  ].join(', ')
}

/** At most three digits, without zeros that say nothing. */
export function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}
