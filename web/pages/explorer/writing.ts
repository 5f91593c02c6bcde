import type { Sampling } from '../../engine/protocol/generation'
import { t } from './messages.en'

/** The effective sampling settings in one line. */
export function samplingWords({ temperature, topK, topP, minP, repetitionPenalty, seed }: Sampling): string {
  const { setting, likeliest } = t().writing
  const repeats = repetitionPenalty === 1 ? [] : [`${setting.repetitionPenalty} ${short(repetitionPenalty)}`]
  if (temperature === 0) return [likeliest, ...repeats].join(', ')
  return [
    `${setting.temperature} ${short(temperature)}`,
    `${setting.topK} ${topK}`,
    ...(topP === 1 ? [] : [`${setting.topP} ${short(topP)}`]),
    ...(minP === 0 ? [] : [`${setting.minP} ${short(minP)}`]),
    ...repeats,
    `${setting.seed} ${seed}`,
  ].join(', ')
}

/** At most three significant digits, without trailing zeros. */
export function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}
