import { expect } from '@playwright/test'

/** A browser with one page, driven from outside. */
export interface Visitor {
  /** The browser's name and version. */
  readonly browser: string
  /** Loads an address from scratch. */
  open(url: string): Promise<void>
  reload(): Promise<void>
  /** Runs a function in the page. It may be asynchronous, and sees only its arguments. */
  evaluate<A extends unknown[], R>(work: (...given: A) => R | Promise<R>, ...given: A): Promise<R>
  /** Clicks the first element of a CSS selector. */
  click(selector: string): Promise<void>
  /** Types into whatever has the focus, key by key. */
  type(text: string): Promise<void>
  /** Gives files, or one folder, to a file input. */
  choose(selector: string, paths: string[]): Promise<void>
  close(): Promise<void>
}

/** The longest wait for a state, and the interval of checks. */
const patience = { timeout: 60_000, intervals: [100] }

/** ropescope's page in a visitor's browser. */
export class AppPage {
  constructor(
    readonly visitor: Visitor,
    readonly url: string,
  ) {}

  /** Opens the page by a link with these choices. */
  async open(name: string, choices: Record<string, string> = {}): Promise<void> {
    await this.visitor.open(`${this.url}#/${name}?${new URLSearchParams({ backend: 'cpu', ...choices })}`)
  }

  /** The text of the first element of a CSS selector; undefined where there is none. */
  text(selector: string): Promise<string | undefined> {
    return this.visitor.evaluate((selector) => document.querySelector(selector)?.textContent ?? undefined, selector)
  }

  count(selector: string): Promise<number> {
    return this.visitor.evaluate((selector) => document.querySelectorAll(selector).length, selector)
  }

  /** Waits until the text of the first element of a CSS selector matches. */
  async waitForText(selector: string, pattern: RegExp): Promise<void> {
    await expect.poll(() => this.text(selector), { message: selector, ...patience }).toMatch(pattern)
  }

  /** Waits until the result of a text with so many tokens is on the page. */
  async waitForResult(tokens?: number): Promise<void> {
    const hasResult = async () => {
      const count = await this.tokenCount()
      const headline = (await this.text('[data-testid=headline]')) ?? ''
      return headline !== '' && (tokens === undefined ? count > 0 : count === tokens)
    }
    await expect.poll(hasResult, { message: `the result of ${tokens ?? 'some'} tokens`, ...patience }).toBe(true)
  }

  tokenCount(): Promise<number> {
    return this.count('[data-testid=tokens] button[data-position]')
  }

  /** Clicks the first element of a CSS selector, once there is one and it has not moved for a quarter of a second. */
  async click(selector: string): Promise<void> {
    const readPlace = () =>
      this.visitor.evaluate((selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect()
        return box ? [box.x, box.y, box.width, box.height].join() : ''
      }, selector)
    let before = ''
    const isAtRest = async () => {
      const now = await readPlace()
      const atRest = now !== '' && now === before
      before = now
      return atRest
    }
    await expect.poll(isAtRest, { message: `${selector} at rest`, ...patience, intervals: [250] }).toBe(true)
    await this.visitor.click(selector)
  }

  /** The failures that the page reports. */
  troubles(): Promise<string[]> {
    return this.visitor.evaluate(() =>
      [...document.querySelectorAll('[data-testid^="trouble-"]')].map((trouble) => trouble.textContent ?? ''),
    )
  }

  async expectNoTrouble(): Promise<void> {
    expect(await this.troubles()).toEqual([])
  }
}
