import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** Passes on what the measurements print, and why one failed. */
export default class implements Reporter {
  onStdOut(chunk: string | Buffer): void {
    process.stdout.write(chunk)
  }

  onTestEnd(test: TestCase, { errors }: TestResult): void {
    for (const { message } of errors) console.error(`${test.title}: ${message}`)
  }
}
