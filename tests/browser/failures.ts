import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

const longest = 600
/** Colours of the terminal, which a log keeps as escape sequences. */
const colours = /\u001b\[[0-9;]*m/g

/** Says at the very end what went wrong in a few lines each, where a log that was cut short still shows it. */
export default class Failures implements Reporter {
  private readonly lines: string[] = []

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus) return
    const title = test.titlePath().filter(Boolean).join(' › ')
    const message = result.errors.map(({ message }) => (message ?? '').replace(colours, '')).join('\n')
    this.lines.push(
      `${result.status}, try ${result.retry}: ${title} (${result.duration} ms)\n${message.slice(0, longest)}`,
    )
  }

  onEnd(): void {
    if (this.lines.length > 0) console.log(`\n${this.lines.join('\n\n')}`)
  }
}
