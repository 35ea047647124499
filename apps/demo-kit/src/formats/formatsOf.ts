import { createFormats, type Formats } from './createFormats.ts'

const known = new Map<string, Formats>()

/** The formats of a locale, cached, because creating them is slow. */
export function formatsOf(locale: string): Formats {
  const found = known.get(locale) ?? createFormats(locale)
  known.set(locale, found)
  return found
}
