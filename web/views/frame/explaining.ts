// How numbers on the page lead to their explanations, and the largest parts of a number that has none of its own.
import { provideExplanations, type Explanations } from '../../i18n/explanations'
import { significant } from '../../i18n/numbers'
import { number, type Sentence } from '../../i18n/rich'
import type { Bench } from '../../session/bench.svelte'
import { isExplained } from '../../session/interventions'
import type { Part } from '../sites'
import { t } from './messages.en'

/** Numbers of the run on show lead to their explanations in all components below this one. Call it while a component is created. */
export function explainNumbers(bench: Bench, open: Explanations['open'] = (site) => bench.explain(site)): void {
  provideExplanations(() => (canExplain(bench) ? { open, help: t().explain.help } : undefined))
}

/** Whether there is a run whose numbers have explanations. */
export const canExplain = ({ run }: Pick<Bench, 'run'>): boolean => run !== undefined && isExplained(run.interventions)

/** Largest parts: attentions.2[6,9,8] 0.31, … Empty where there are none. @param brief in a headline: without their sites */
export const partsInWords = (parts: readonly Part[] = [], brief = false): Sentence =>
  parts.flatMap(({ site, value }, at) => {
    const digits = significant(value, 3)
    return [at === 0 ? `${t().largestParts} ` : ', ', number(brief ? digits : `${site} ${digits}`, site)]
  })
