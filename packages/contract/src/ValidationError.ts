/** Why a value is not valid: the first broken rule. */
export interface ValidationError {
  /** Where, as a JSON pointer: `/historicalPrices/0`, also for a field that is missing or unknown; empty for the value itself. */
  readonly instancePath: string
  /** The rule, as JSON Schema calls it: `pattern`, `minimum`, `additionalProperties`, … */
  readonly keyword: string
  /** What the schema says there: the limit of `minimum`, the values of `enum`. */
  readonly limit?: unknown
  /** The rule in words: `must be >= 1`. */
  readonly message: string
}
