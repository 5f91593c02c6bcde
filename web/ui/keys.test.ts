import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actionOf, useCharacterKeys, type KeyPress } from './keys'

interface Modifiers {
  code?: string
  alt?: boolean
  ctrl?: boolean
  meta?: boolean
  shift?: boolean
  altGraph?: boolean
}

function press(key: string, { code = '', alt, ctrl, meta, shift, altGraph }: Modifiers = {}): KeyPress {
  return {
    key,
    code,
    altKey: alt ?? false,
    ctrlKey: ctrl ?? false,
    metaKey: meta ?? false,
    shiftKey: shift ?? false,
    getModifierState: (name) => name === 'AltGraph' && (altGraph ?? false),
  }
}

describe('a key press', () => {
  it('means the same in every view', () => {
    expect(['ArrowLeft', 'PageDown', 'Home', 'End', ' ', 'Escape', '?'].map((key) => actionOf(press(key)))).toEqual([
      'left',
      'pageDown',
      'first',
      'last',
      'take',
      'leave',
      'keys',
    ])
    for (const keys of ['[]{}', 'pnPN'])
      expect([...keys].map((key) => actionOf(press(key)))).toEqual(['headBack', 'headOn', 'layerBack', 'layerOn'])
    expect(['a', 'Tab', 'F5', 'toString'].map((key) => actionOf(press(key)))).toEqual(Array(4).fill(undefined))
  })

  it('with Alt, Control or Meta is the browser’s, whatever the key', () => {
    const keys = ['ArrowLeft', 'ArrowRight', 'Home', 'End', '[', ']', '{', '?', 'q', 'Escape', ' ']
    fc.assert(
      fc.property(
        fc.constantFrom(...keys),
        fc.constantFrom<Modifiers>({ alt: true }, { ctrl: true }, { meta: true }, { ctrl: true, shift: true }),
        (key, modifiers) => {
          expect(actionOf(press(key, { ...modifiers, code: 'BracketLeft' }))).toBeUndefined()
        },
      ),
    )
    expect(actionOf(press('ArrowLeft', { altGraph: true }))).toBeUndefined()
  })

  it('types with AltGr, however the system reports it', () => {
    expect(actionOf(press('[', { altGraph: true, code: 'Digit8' }))).toBe('headBack')
    expect(actionOf(press('}', { altGraph: true, alt: true, ctrl: true, code: 'Digit0' }))).toBe('layerOn')
    // The Mac’s Option, which is Alt to a browser.
    expect(actionOf(press(']', { alt: true, code: 'Digit6' }))).toBe('headOn')
    expect(actionOf(press('[', { alt: true, code: 'BracketLeft' }))).toBeUndefined()
    expect(actionOf(press('[', { alt: true, ctrl: true, code: 'Digit5' }))).toBeUndefined()
  })

  it('with Control or Meta and z, or y, undoes and redoes', () => {
    expect(actionOf(press('z', { ctrl: true }))).toBe('undo')
    expect(actionOf(press('Z', { meta: true, shift: true }))).toBe('redo')
    expect(actionOf(press('y', { ctrl: true }))).toBe('redo')
    expect(actionOf(press('z', { ctrl: true, alt: true }))).toBeUndefined()
    expect(actionOf(press('y', { ctrl: true, shift: true }))).toBeUndefined()
    expect(actionOf(press('z'))).toBeUndefined()
  })
})

describe('single characters', () => {
  it('mean nothing where the visitor wants none of them; all other keys stay', () => {
    useCharacterKeys(false)
    expect(['[', '}', '?', 'q', 'b', 'm'].map((key) => actionOf(press(key)))).toEqual(Array(6).fill(undefined))
    expect(actionOf(press('[', { altGraph: true, code: 'Digit8' }))).toBeUndefined()
    const others = ['ArrowLeft', 'Home', ' ', 'Enter', 'Escape'].map((key) => actionOf(press(key)))
    expect(others).toEqual(['left', 'first', 'take', 'take', 'leave'])
    expect(actionOf(press('z', { ctrl: true }))).toBe('undo')
    useCharacterKeys(true)
    expect(['?', 'b'].map((key) => actionOf(press(key)))).toEqual(['keys', 'compare'])
  })
})
