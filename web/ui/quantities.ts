import { decimal } from '../i18n/numbers'
import { t } from './messages.en'

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Bytes in decimal units: 9.3 MB. */
export function byteCount(bytes: number): string {
  const unit = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** unit
  return `${decimal(value, value < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`
}

export function duration(milliseconds: number): string {
  const { seconds, milliseconds: short } = t()
  if (milliseconds >= 10_000) return seconds(decimal(milliseconds / 1000, 1))
  return short(decimal(milliseconds, milliseconds < 10 ? 1 : 0))
}
