import { expect } from '@playwright/test'

/** A browser with one page open, driven from outside as a visitor drives it. */
export interface Visitor {
  /** What the browser says of itself, with its version. */
  readonly browser: string
  /** Loads an address from scratch. */
  open(url: string): Promise<void>
  reload(): Promise<void>
  /** Runs a function in the page; it may be asynchronous, and sees nothing of the test but its arguments. */
  evaluate<A extends unknown[], R>(work: (...given: A) => R | Promise<R>, ...given: A): Promise<R>
  /** Clicks the first element of a CSS selector. */
  click(selector: string): Promise<void>
  /** Types into whatever has the focus, key by key. */
  type(text: string): Promise<void>
  /** Gives files, or one folder, to a file input. */
  choose(selector: string, paths: string[]): Promise<void>
  close(): Promise<void>
}

/** Nobody waits longer than a state takes to come. */
const patience = { timeout: 60_000, intervals: [100] }

/** The page under test, by what it shows. */
export class ShownPage {
  constructor(
    readonly visitor: Visitor,
    readonly url: string,
  ) {}

  /** Opens the page by a link with these choices. */
  async open(room: string, choices: Record<string, string> = {}): Promise<void> {
    await this.visitor.open(`${this.url}#/${room}?${new URLSearchParams({ backend: 'cpu', ...choices })}`)
  }

  /** The text of the first element of a CSS selector; undefined where there is none. */
  text(selector: string): Promise<string | undefined> {
    return this.visitor.evaluate((selector) => document.querySelector(selector)?.textContent ?? undefined, selector)
  }

  count(selector: string): Promise<number> {
    return this.visitor.evaluate((selector) => document.querySelectorAll(selector).length, selector)
  }

  /** Waits until an element says this. */
  async says(selector: string, words: RegExp): Promise<void> {
    await expect.poll(() => this.text(selector), { message: selector, ...patience }).toMatch(words)
  }

  /** Waits until the result of a text with so many tokens is on the page. */
  async result(tokens?: number): Promise<void> {
    const shown = async () => {
      const count = await this.tokens()
      const headline = (await this.text('[data-testid=headline]')) ?? ''
      return headline !== '' && (tokens === undefined ? count > 0 : count === tokens)
    }
    await expect.poll(shown, { message: `the result of ${tokens ?? 'some'} tokens`, ...patience }).toBe(true)
  }

  tokens(): Promise<number> {
    return this.count('[data-testid=tokens] button')
  }

  /** Clicks the first element of a CSS selector, once there is one and it has stayed in its place for a quarter of a second. */
  async click(selector: string): Promise<void> {
    const place = () =>
      this.visitor.evaluate((selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect()
        return box ? [box.x, box.y, box.width, box.height].join() : ''
      }, selector)
    let before = ''
    const stays = async () => {
      const now = await place()
      const stayed = now !== '' && now === before
      before = now
      return stayed
    }
    await expect.poll(stays, { message: `${selector} in its place`, ...patience, intervals: [250] }).toBe(true)
    await this.visitor.click(selector)
  }

  /** Everything that the page reports as gone wrong. */
  troubles(): Promise<string[]> {
    return this.visitor.evaluate(() =>
      [...document.querySelectorAll('[data-testid^="trouble-"]')].map((trouble) => trouble.textContent ?? ''),
    )
  }

  async hasNoTrouble(): Promise<void> {
    expect(await this.troubles()).toEqual([])
  }
}
