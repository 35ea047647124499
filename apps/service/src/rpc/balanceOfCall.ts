import type { Call } from './CallOutcome.ts'

/** Selector of `balanceOf(address)`. */
const selector = '0x70a08231'

/**
 * The call that asks what somebody has of a token.
 *
 * @param token contract address.
 * @param holder address: `0x` and 40 hex digits.
 */
export function balanceOfCall(token: string, holder: string): Call {
  return { to: token, data: `${selector}${holder.slice(2).padStart(64, '0')}` }
}
