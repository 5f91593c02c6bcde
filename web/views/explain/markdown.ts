// A walk from number to number as Markdown, with its formulas in LaTeX.
import { numberOf, type Explanation } from '../../engine/protocol/explanation'
import { exact } from '../../i18n/numbers'

/** A step of the walk: a number, and what it is in words. */
export interface Step {
  explanation: Explanation
  words: string
}

export function markdown(title: string, steps: readonly Step[]): string {
  const sections = steps.map(({ explanation, words }) => {
    const { at, formula, operands, rest } = explanation
    return [
      `## \`${at}\` = ${exact(numberOf(explanation))}`,
      escaped(words),
      ...(formula === null ? [] : [`$$${exact(explanation.recomputed ?? Number.NaN)} = ${latex(formula)}$$`]),
      ...(operands.length === 0 ? [] : [table(operands)]),
      ...(rest ? [`+ ${rest.terms}: ${exact(rest.value)}`] : []),
    ].join('\n\n')
  })
  return [`# ${escaped(title)}`, ...sections].join('\n\n') + '\n'
}

/** Tokens may be anything. */
const escaped = (text: string) => text.replace(/[\\`*_[\]<>|#~]/g, '\\$&')

function table(operands: readonly Explanation[]): string {
  const row = (one: Explanation) => {
    const leaves = leavesOf(one)
    const where = leaves.map(({ name, at }) => (at === null ? name : `${name}: \`${at}\``)).join(', ')
    return `| ${one.formula ?? one.name} | ${exact(numberOf(one))} | ${where} |`
  }
  return ['| | | |', '| --- | ---: | --- |', ...operands.map(row)].join('\n')
}

/** The numbers with names that a number follows from; itself where it has a place. */
export const leavesOf = (one: Explanation): readonly Explanation[] =>
  one.at !== null || one.operands.length === 0 ? [one] : one.operands.flatMap(leavesOf)

const symbols: readonly (readonly [RegExp, string])[] = [
  [/Σ /g, '\\sum '],
  [/√\(/g, '\\sqrt('],
  [/·/g, '\\cdot '],
  [/−/g, '-'],
  [/²/g, '^2'],
  [/…/g, '\\dots '],
  [/θ/g, '\\theta '],
  [/ε/g, '\\varepsilon '],
  [/φ/g, '\\varphi '],
  [/₀/g, '_0'],
  [/₁/g, '_1'],
]

/** The engine's formula as LaTeX: words stay upright, functions and symbols have their commands. */
export function latex(formula: string): string {
  const upright = formula.replace(/[A-Za-z][A-Za-z_-]*(?: [A-Za-z-]+)*/g, (word) => {
    if (['exp', 'cos', 'sin', 'max'].includes(word)) return `\\${word}`
    return word.length === 1 ? word : `\\text{${word.replaceAll('_', '\\_')}}`
  })
  const written = symbols.reduce((text, [symbol, command]) => text.replace(symbol, command), upright)
  return written.replace(/\\sqrt\(/g, '\\sqrt{').replace(/(\\sqrt\{(?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g, '$1}')
}
