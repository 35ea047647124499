import type { Call } from './CallOutcome.ts'
import { wordCall } from './wordCall.ts'

/** Selector of `balanceOf(address)`. */
const selector = '0x70a08231'

/**
 * The call that asks what somebody has of a token.
 *
 * @param token contract address.
 * @param holder address: `0x` and 40 hex digits.
 */
export function balanceOfCall(token: string, holder: string): Call {
  return wordCall(token, `${selector}${holder.slice(2).padStart(64, '0')}`)
}
