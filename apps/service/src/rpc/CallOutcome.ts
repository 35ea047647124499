import type { NodeError } from './NodeError.ts'

/** A call of a contract. */
export interface Call {
  readonly to: string
  /** Selector and arguments as hex. */
  readonly data: string
  /** The most bytes that an answer of use has, as JSON. A contract that tells more has ended without an answer. */
  readonly maximumBytes?: number
}

/** What came of a call: the contract's answer, the contract's failure, or the nodes'. */
export type CallOutcome =
  /** `0x` also where there is no contract. */
  | { readonly kind: 'answered'; readonly data: string }
  /** The contract ran and ended without an answer. The same call at the same block always does. */
  | { readonly kind: 'reverted' }
  /** No node told; it may be asked again later. */
  | { readonly kind: 'failed'; readonly error: NodeError }
