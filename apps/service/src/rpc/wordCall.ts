import type { Call } from './CallOutcome.ts'

/** A word, or the reason for which there is none. */
const maximumBytes = 16 * 1024

/**
 * A call that is answered by one word.
 *
 * @param data selector and arguments as hex.
 */
export function wordCall(to: string, data: string): Call {
  return { to, data, maximumBytes }
}
