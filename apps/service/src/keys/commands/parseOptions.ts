import { CommandError } from '../../commands/CommandError.ts'
import { parseRate } from '../parseRate.ts'
import type { Rate } from '../Rate.ts'

/** @throws {CommandError} for a text that names no key. */
export function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw noSuchKey(text)
  }
  return Number(text)
}

/** The refusal of a key that is not there, or no more. */
export function noSuchKey(id: string): CommandError {
  return new CommandError(`There is no valid key ${id}; headwater keys list shows them`)
}

/** @throws {CommandError} for a name that could not be shown on a line. */
export function nameOf(text: string): string {
  if (!/^\P{C}{1,200}$/u.test(text) || text.trim() === '') {
    throw new CommandError('--name must be a text of one line, at most 200 characters')
  }
  return text
}

/** @throws {CommandError} for a purpose that is not a word. */
export function purposeOf(text: string): string {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(text)) {
    throw new CommandError(`--purpose must be a word such as data, not "${text}"`)
  }
  return text
}

/** @throws {CommandError} for a text that is no rate. */
export function rateOf(text: string): Rate {
  const rate = parseRate(text)
  if (!rate) {
    throw new CommandError(
      `--rate must be requests a minute such as 600, or 10/s, 600/m, 5000/h, not "${text}"`,
    )
  }
  return rate
}

/** @throws {CommandError} for a text that is no number of units. */
export function unitsOf(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw new CommandError(`${option} must be a number of compute units, not "${text}"`)
  }
  return Number(text)
}

/** @throws {CommandError} for a text that is no date. */
export function dateOf(text: string): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) {
    throw new CommandError(`--expires must be a date such as 2030-01-31, not "${text}"`)
  }
  return date
}
