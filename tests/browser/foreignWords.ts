// What the page says in a language, and which of its words are of another one.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import ts from 'typescript'
import { examples } from '../../web/viewstate/examples'
import { expect, root } from './explorer'

/** English words that Korean and Hungarian texts keep, in lower case, by kind. */
const borrowed: Readonly<Record<string, string>> = {
  models:
    'rope scope ropescope roformer marian bert bertviz exbert modernbert llama mistral ' +
    'tinymistral qwen gemma gpt neo neox pythia phi esm bart pegasus deberta minilm transformer transformers',
  'their owners': 'huggingface huggingfacetb hugging face eleutherai facebook google junnyu answerdotai bojone',
  methods: 'rerope rove yarn longrope alibi tupe xl ntk aware triattention wordpiece unigram bpe',
  'types of rope scaling': 'default linear dynamic proportional',
  people:
    'abnar ahmed barbero belinkov bo chen dai ding federico geva he jianlin katharopoulos ke kobayashi liu lu men murtadha ' +
    'nostalgebraist olsson pan pearson peng pengcheng press raffel rao shaw shengfeng su vaswani vig wen xiao yu yunfeng zuidema',
  'papers and licences': 'arxiv biorxiv iclr mit apache sil stix two math open font license',
  programs:
    'chrome edge firefox safari https localhost cpu gpu webgpu webassembly node javascript html css json csv svg pdf png markdown latex pytorch numpy safetensors rust vulkan metal directx',
  units: 'mb gb kb ms mm nat rad',
  settings: 'config dtype gelu relu silu',
  mathematics: 'softmax log ln sin cos max qᵢ kᵢ hᵢ xᵀ',
  'the name of a token’s number': 'id',
  'the name of a branch': 'main',
  languages: 'ko hu en',
  'tokens of the figure By hand': 'the cat sat',
}
/** Words that are spelt alike in Hungarian and English. */
const hungarian =
  'adapter be bias bit dispatch et hat hub index is ki kb link logit mit most neuron on program sort standard space token notebook'

const list = (words: string) => words.split(' ').filter(Boolean)
const known: Readonly<Record<Translated, ReadonlySet<string>>> = {
  ko: new Set(Object.values(borrowed).flatMap(list)),
  hu: new Set([...Object.values(borrowed), hungarian].flatMap(list)),
}

/**
 * What is no word: addresses, sites and dotted names, special tokens, what has digits or underscores (files, settings, heads), classes, names
 * of models, keys, a command, the code and headers that a page needs to embed the model, settings of sampling, names of files, folders and keys, terms in brackets behind
 * the language’s own, titles of examples, words in quotation marks, a test’s book, and what a browser says itself.
 */
const noWords = [
  /[\w.]+\[\d[\d,]*\]/u,
  /https?:\S+|(?<![\p{L}\d])\/[\w./-]+|(?:[\w-]+\/)*[\w-]*(?:\.[\w-]+)+(?:\/[\w./-]*)?/u,
  /\[[A-Za-z]+\d*\]|<[/|]?\w+[|]?>|[\w-]*[\d_][\w-]*|\w+For[A-Z]\w+|\w+MTModel/u,
  /[Rr]oformer(?:-\w+)+|marian-numbers|ModernBERT-base|sentence-transformers|Failed to fetch|Unexpected token .* is not valid JSON|unreachable/u,
  /(?<![A-Za-z])(?:Ctrl|Shift|Enter|Escape|Esc|Space|Home|End|Page(?: Up| Down)?|Tab)(?![A-Za-z])/u,
  /ropescope heads|owner\/name|weights="|load\(…, \{ weights: '|Cross-Origin-\w+-Policy: [\w-]+|(?:top|min)-[kp]/u,
  /\((?:query|key|value|padding|bias|origin|attention rollout|attention factor)\)/u,
  /LICENCES-OF-OTHERS|models(?= 폴더| mapp)|model(?=의 알|: ismer)|factor(?= 값| értéke)|(?:and|looked)(?= ·|: )/u,
  /Deep Learning|Deep ocean|deep learning|deep ocean … learning|[“„][a-z]+”|A Book/u,
].map((form) => new RegExp(form, 'gu'))

/** Georgian letters for Latin ones: the tokens of a test's models, so that every Latin word on the page is the page's own. */
export const georgian = (text: string) =>
  text.replace(/\[[A-Za-z]+\d*\]|<[^>]*>|[a-z]/g, (found) =>
    found.length > 1 ? found : String.fromCodePoint(0x10d0 + (found.codePointAt(0) ?? 0) - 0x61),
  )

/** The words of the English messages: of their files, of Read's, and of titles of views. */
async function readEnglish(): Promise<ReadonlySet<string>> {
  const words = new Set<string>()
  const files = await readdir(join(root, 'web'), { recursive: true })
  for (const name of files.filter(
    (name) => /\.ts$/.test(name) && !/\.(test|ko|hu)\.ts$|^(testing|wasm|package)\//.test(name),
  )) {
    const isEnglish = /\.en\.ts$|^i18n\/en\//.test(name)
    const source = await readFile(join(root, 'web', name), 'utf8')
    const file = ts.createSourceFile('', source, ts.ScriptTarget.Latest)
    const visit = (node: ts.Node, english: boolean): void => {
      if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return
      if (ts.isPropertyAssignment(node)) {
        const key = node.name.getText(file)
        return visit(node.initializer, key === 'en' || (english && key !== 'ko' && key !== 'hu'))
      }
      if (
        english &&
        (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      )
        for (const word of wordsIn(node.text)) words.add(word.toLowerCase())
      ts.forEachChild(node, (child) => visit(child, english))
    }
    visit(file, isEnglish)
  }
  return words
}

let english: Promise<ReadonlySet<string>> | undefined
const englishWords = () => (english ??= readEnglish())

const plain = (text: string) => {
  const own = examples.reduce((rest, example) => rest.replaceAll(example.text, ' '), text)
  return noWords.reduce((rest, form) => rest.replace(form, ' '), own)
}

const wordsIn = (text: string) => text.match(/\p{Script=Latin}{2,}/gu) ?? []

type Translated = (typeof translated)[number]
const translated = ['ko', 'hu'] as const

/** What a text in a language has, other than numbers and tokens. */
const letters: Readonly<Record<Translated, RegExp>> = { ko: /\p{Script=Hangul}/u, hu: /\p{Script=Latin}{2}/u }

/** The words of a text that its language does not have: on a Korean page Latin ones, on a Hungarian page English and Korean ones. */
export async function foreignIn(language: Translated, text: string): Promise<string[]> {
  const words = plain(text)
  const foreign = language === 'ko' ? new Set<string>() : await englishWords()
  const suspects = wordsIn(words).filter((word) => {
    const small = word.toLowerCase()
    return !known[language].has(small) && (language === 'ko' || foreign.has(small))
  })
  return [...suspects, ...(language === 'hu' ? (words.match(/\p{Script=Hangul}+/gu) ?? []) : [])]
}

/** A piece of text on the page, and where it stands. */
interface Said {
  text: string
  at: string
}

declare global {
  interface Window {
    /** The texts that were read already, by language. */
    readTexts?: Record<string, Set<string>>
  }
}

/**
 * Switches the page to a language, and returns what is new in it: every text, and every attribute that is read aloud, of menus and
 * tables, too, which it opens; not code, formulas, what a visitor writes and what is marked as being in another language.
 */
const speak = (page: Page, language: Translated): Promise<Said[]> =>
  page.evaluate(async (language) => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const select = document.querySelector<HTMLSelectElement>('[data-testid=language]')
    if (select && select.value !== language) {
      select.value = language
      select.dispatchEvent(new Event('change', { bubbles: true }))
    }
    // Read's text is fetched; until then it stands in the former language.
    const former = `main [lang=${language === 'ko' ? 'hu' : 'ko'}]`
    while (document.documentElement.lang !== language || document.querySelector(former)) await painted()
    await painted()
    // A menu keeps what it has from its first opening on, and a table has its rows while it is open.
    while (document.querySelector('.menu > .sheet:empty, details:not(:has(th))')) {
      for (const button of document.querySelectorAll<HTMLElement>('.menu:has(> .sheet:empty) > button'))
        for (let click = 0; click < 2; click++) button.click()
      for (const table of document.querySelectorAll('details')) table.open = true
      await painted()
    }
    const silent = 'noscript, script, style, code, kbd, pre, math, textarea, [lang=en]'
    const spoken = [
      'alt',
      'aria-description',
      'aria-label',
      'aria-roledescription',
      'aria-valuetext',
      'placeholder',
      'title',
    ]
    const read = ((window.readTexts ??= {})[language] ??= new Set())
    const found: Said[] = []
    const see = (text: string | null, at: () => string) => {
      if (!text?.trim() || read.has(text)) return
      read.add(text)
      found.push({ text, at: at() })
    }
    see(document.title, () => 'title')
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest(silent)) continue
      const place = (what: string) => () =>
        `${element.closest('[data-testid]')?.getAttribute('data-testid') ?? 'page'} ${element.tagName.toLowerCase()} ${what}`
      // Names of the languages are each in their own.
      const own = element.closest('[lang]')?.getAttribute('lang')
      if (own && own !== language) continue
      for (const name of spoken) see(element.getAttribute(name), place(name))
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) see(node.textContent, place(''))
    }
    return found
  }, language)

/** Reads the page in both languages, and keeps the words that are of neither. */
export class Reader {
  /** By the word and its language: where it was read first. */
  readonly #found = new Map<string, string>()
  /** Of texts with words. */
  readonly #count = { ko: 0, hu: 0 }
  #now: Translated = 'ko'

  constructor(readonly page: Page) {}

  /** Reads the page in the language that it is in, and then in the other, which stays. */
  async read(state: string): Promise<void> {
    for (const language of [this.#now, this.#now === 'ko' ? 'hu' : 'ko'] as const) {
      this.#now = language
      for (const { text, at } of await speak(this.page, language)) {
        if (letters[language].test(text)) this.#count[language]++
        for (const word of await foreignIn(language, text)) {
          const name = `${language} ${word}`
          if (!this.#found.has(name)) this.#found.set(name, `${state}: ${at}: ${text.slice(0, 200)}`)
        }
      }
    }
  }

  /** Fails where a word is of another language, or where fewer texts with words were read than this: a little below what there is. */
  end(least: number): void {
    expect(Object.fromEntries(this.#found), 'words of another language').toEqual({})
    for (const language of translated) expect(this.#count[language]).toBeGreaterThan(least)
  }
}
