import { createFormats, type Formats } from './createFormats.ts'

const known = new Map<string, Formats>()

/** The formats of a locale: the same object for the same locale, as making them takes time. */
export function formatsOf(locale: string): Formats {
  const found = known.get(locale) ?? createFormats(locale)
  known.set(locale, found)
  return found
}
