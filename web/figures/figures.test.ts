// What the messages and keys of all figures of Read hold to.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { languages } from '../i18n/language'

const folders = readdirSync('web/figures', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `web/figures/${name}`)
const messageFiles = folders.flatMap((folder) => languages.map((language) => `${folder}/messages.${language}.ts`))

describe('messages of figures', () => {
  it.each(messageFiles)('have no number but in sources and names: %s', (file) => {
    const typed = readFileSync(file, 'utf8')
      .replace(/source:\s*(?:'[^']*'|`[^`]*`)/g, '')
      .split('\n')
      .filter((line) => {
        if (/source: |^const |^import /.test(line)) return false
        const words = line
          .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
          .replace(/decimal\([^()]*\)/g, '')
          .replace(/Llama 3\.1|Phi-3|T5|b?f(16|32)|: 1 |1-nél|1이면|10분의 1|(?:seconds [</]|===) \d+/g, '')
        return /\d/.test(words)
      })
    expect(typed).toEqual([])
  })
})

it.each(folders)('keys are declared where they are handled: %s', (folder) => {
  const text = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
  expect(text.some((code) => /^ {2}keys: \{/m.test(code))).toBe(text.some((code) => /\bkeys(: )?\(action\)/.test(code)))
})
