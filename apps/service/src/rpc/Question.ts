import type { NodeError } from './NodeError.ts'

/** A JSON-RPC question. */
export interface Question {
  readonly method: string
  readonly params: readonly unknown[]
  /**
   * The most bytes that a true answer has, where these are few. One that has more is an error of this question and not
   * of those that travel with it. It is not sent.
   */
  readonly maximumBytes?: number | undefined
}

/** What came of it: a result, which is whatever the node answered, or an error. */
export type Answer =
  { readonly result: unknown; readonly error?: undefined } | { readonly error: NodeError }
