// What was measured on: names alone do not tell two processors of one maker apart.
import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'

export interface Machine {
  cpu: string
  /** Of an x86-64 processor under Linux: its family and model, and whether it has AVX-512. */
  family?: string
  avx512?: boolean
  cores: number
  browser: string
}

export async function machineWith(version: string): Promise<Machine> {
  const told = await readFile('/proc/cpuinfo', 'utf8').catch(() => '')
  const line = (name: string) => new RegExp(`^${name}\\s*:\\s*(.+)$`, 'm').exec(told)?.[1]
  const [family, model, flags] = ['cpu family', 'model', 'flags'].map(line)
  const kind =
    family && model && flags ? { family: `${family}, model ${model}`, avx512: /\bavx512f\b/.test(flags) } : {}
  return { cpu: cpus()[0]?.model ?? '', ...kind, cores: cpus().length, browser: `Chromium ${version}` }
}
