/** Why a value is not valid: one broken rule. */
export interface ValidationError {
  /** Where in the value, as a JSON pointer: `/historicalPrices/0`; empty for the value itself. */
  readonly instancePath: string
  /** The rule, as JSON Schema calls it: `pattern`, `minimum`, `additionalProperties`, … */
  readonly keyword: string
  /** The figures of the rule, such as `{ limit: 1 }` or `{ additionalProperty: 'chainID' }`. */
  readonly params: Readonly<Record<string, unknown>>
  /** The rule in words: `must be >= 1`. */
  readonly message?: string
}
