import type { Reporter, TestCase, TestResult, TestStep } from '@playwright/test/reporter'

const longest = 600
/** Escape sequences of the terminal's colours. */
const colours = /\u001b\[[0-9;]*m/g

/** Repeats all failures briefly at the end, where a shortened log still shows them. */
export default class Failures implements Reporter {
  private readonly lines: string[] = []

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus) return
    const failed = (steps: TestStep[]): string[] => {
      const step = steps.find(({ category, error }) => category === 'test.step' && error)
      return step ? [step.title, ...failed(step.steps)] : []
    }
    const title = [...test.titlePath().filter(Boolean), ...failed(result.steps)].join(' › ')
    const message = result.errors.map(({ message }) => (message ?? '').replace(colours, '')).join('\n')
    this.lines.push(
      `${result.status}, try ${result.retry}: ${title} (${result.duration} ms)\n${message.slice(0, longest)}`,
    )
  }

  onEnd(): void {
    if (this.lines.length > 0) console.log(`\n${this.lines.join('\n\n')}`)
  }
}
