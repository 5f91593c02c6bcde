// The table of interventions, from the comments of the engine's source.
import { readFileSync } from 'node:fs'

const source = readFileSync('src/runtime/interventions/mod.rs', 'utf8')
const reader = readFileSync('src/runtime/interventions/text.rs', 'utf8')

/** How the command line writes each replacement, by its name in Rust: `frozen`, `log-n:N`. */
const written = new Map(
  [...reader.matchAll(/\("([\w-]+)", (""|\w+)\) => [^\n]*Replacement::(\w+)/g)].map(
    ([, name = '', number, rust = '']) => [rust, number === '""' ? name : `${name}:N`],
  ),
).set('Number', 'NUMBER')

const asWritten = (text: string) =>
  text.replace(/\[`Replacement::(\w+)`\]/g, (_, rust: string) => {
    const name = written.get(rust)
    if (name === undefined) throw new Error(`the command line reads no replacement ${rust}`)
    return `\`${name}\``
  })

/** Rows of the table: a site, its replacements, and what they do. */
export const interventions: readonly string[][] = [...source.matchAll(/^\/\/! \| (`.*) \|$/gm)].map(([, row = '']) =>
  asWritten(row).split(' | '),
)

/** Each replacement, and what its comment says. */
export const replacements: readonly string[][] = [
  ...(/pub enum Replacement \{\n(.*?)\n\}/s.exec(source)?.[1] ?? '').matchAll(/((?: {4}\/\/\/.*\n)+) {4}(\w+)/g),
].map(([, comment = '', rust = '']) => [
  asWritten(`[\`Replacement::${rust}\`]`),
  comment
    .replace(/^ {4}\/\/\/ ?/gm, '')
    .replace(/\n/g, ' ')
    .trim(),
])
