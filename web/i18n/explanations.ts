// Numbers of a forward pass lead to their explanations: what is around them on the page says how.
import { getContext, setContext } from 'svelte'

/** Where numbers lead. */
export interface Explanations {
  /** Opens the explanation of the number at a site. */
  open: (site: string) => void
  /** What that does, in words. */
  help: (site: string) => string
}

/** The name of Svelte's context that has them. */
export const explanationsContext = Symbol('explanations')

/** @param explanations undefined while numbers have none */
export const provideExplanations = (explanations: () => Explanations | undefined) =>
  setContext(explanationsContext, explanations)

/** Call it while a component is created. The result is undefined where numbers lead nowhere: there they are plain text. */
export const explanationsHere = (): (() => Explanations | undefined) =>
  getContext<(() => Explanations | undefined) | undefined>(explanationsContext) ?? (() => undefined)
