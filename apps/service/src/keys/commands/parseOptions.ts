import { CommandError } from '../../commands/CommandError.ts'
import { parseRate, type Rate } from '../Rate.ts'

/** @throws {CommandError} for an invalid id. */
export function parseKeyId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw createUnknownKeyError(text)
  }
  return Number(text)
}

/** The error for the id of an unknown or revoked key. */
export function createUnknownKeyError(id: string): CommandError {
  return new CommandError(`There is no valid key ${id}; headwater keys list shows them`)
}

/** @throws {CommandError} for a name that does not fit on a line. */
export function parseName(text: string): string {
  if (!/^\P{C}{1,200}$/u.test(text) || text.trim() === '') {
    throw new CommandError('--name must be a text of one line, at most 200 characters')
  }
  return text
}

/** @throws {CommandError} for a purpose that is not a word. */
export function parsePurpose(text: string): string {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(text)) {
    throw new CommandError(`--purpose must be a word such as data, not "${text}"`)
  }
  return text
}

/** @throws {CommandError} for an invalid rate. */
export function parseRateOption(text: string): Rate {
  const rate = parseRate(text)
  if (!rate) {
    throw new CommandError(
      `--rate must be requests a minute such as 600, or 10/s, 600/m, 5000/h, not "${text}"`,
    )
  }
  return rate
}

/** @throws {CommandError} for an invalid number of units. */
export function parseUnits(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw new CommandError(`${option} must be a number of compute units, not "${text}"`)
  }
  return Number(text)
}

const dateTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/

/** @throws {CommandError} for an invalid date, or one in the past. */
export function parseDate(text: string): Date {
  const day = text.slice(0, 10)
  const date = new Date(text)
  // `Date` takes February 31 for March 3.
  const isValid =
    dateTime.test(text) && date.getTime() > 0 && new Date(day).toISOString().startsWith(day)
  if (!isValid) {
    throw new CommandError(
      `--expires must be a date such as 2030-01-31 or 2030-01-31T12:00:00Z, not "${text}"`,
    )
  }
  if (date.getTime() <= Date.now()) {
    throw new CommandError(
      `--expires is in the past: ${text}; headwater keys revoke ends a key now`,
    )
  }
  return date
}
