// A process that computes without pause on one core, beside which the race is run.
import { spawn } from 'node:child_process'

/** It ends by itself, too, where the process that started it is gone. */
const work = `
  const parent = process.ppid
  while (process.ppid === parent) for (let number = 0; number < 1e7; number++) Math.sqrt(number)
`

/** Starts it. @returns what ends it */
export function startBusy(): () => void {
  const child = spawn(process.execPath, ['-e', work], { stdio: 'ignore' })
  return () => child.kill()
}
