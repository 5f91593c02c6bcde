// What Hungarian words do with numbers.

/** The definite article before a number in digits, by how it is read: az 1, a 2, az 5, az 1 000 (ezer), a 10 (tíz). */
export function the(number: number): 'a' | 'az' {
  const digits = String(Math.abs(Math.trunc(number)))
  return digits.startsWith('5') || (digits.startsWith('1') && digits.length % 3 === 1) ? 'az' : 'a'
}
