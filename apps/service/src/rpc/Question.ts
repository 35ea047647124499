import type { NodeError } from './NodeError.ts'

/** A JSON-RPC question. */
export interface Question {
  readonly method: string
  readonly params: readonly unknown[]
}

/** What came of it: a result, which is whatever the node answered, or an error. */
export type Answer =
  { readonly result: unknown; readonly error?: undefined } | { readonly error: NodeError }
