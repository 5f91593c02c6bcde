import { describe, expect, it } from 'vitest'
import type { BackendReason } from '../protocol/protocol'
import { adapterName, backendWords, crashTrouble, loadTrouble } from './words'

describe('words', () => {
  const fallbacks: BackendReason[] = [
    'insecure-context',
    'no-webgpu',
    'no-adapter',
    'fallback-adapter',
    'device-refused',
    'wrong-numbers',
    'device-lost',
  ]

  it.each(fallbacks)('say why the CPU runs and what can be done: %s', (reason) => {
    const { name, why, advice } = backendWords({ backend: 'cpu', reason })
    expect(name).toBe('CPU')
    expect(why).not.toBe('')
    expect(advice.length).toBeGreaterThan(40)
  })

  it('quote what the browser said', () => {
    expect(backendWords({ backend: 'cpu', reason: 'device-refused', detail: 'out of memory' }).advice).toContain(
      '“out of memory”',
    )
  })

  it('warn of a software adapter that was asked for', () => {
    expect(backendWords({ backend: 'gpu', reason: 'choice', fallbackAdapter: true }).advice).toContain('software')
    expect(backendWords({ backend: 'gpu', reason: 'choice' }).advice).toBe('')
  })

  it('name an adapter by what there is', () => {
    expect(adapterName({ backend: 'gpu', reason: 'choice', vendor: 'nvidia', architecture: 'ampere' })).toBe(
      'nvidia ampere',
    )
    expect(adapterName({ backend: 'gpu', reason: 'choice' })).toBeUndefined()
  })

  it('say what stays loaded', () => {
    const failure = { code: 'heads', message: 'Heads do not divide.', retryable: false }
    expect(loadTrouble(failure, 'tiny').text).toBe('Heads do not divide. tiny stays loaded.')
    expect(loadTrouble(failure, undefined).text).toBe('Heads do not divide.')
  })

  it('offer a new start only where none happens by itself', () => {
    expect(crashTrouble('unreachable', true).retryable).toBe(false)
    expect(crashTrouble('unreachable', false).retryable).toBe(true)
  })
})
