import type { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import type { OperationQueryOptions } from '../operation/OperationQueryOptions.ts'

/** What a stream asks. */
export interface Question<T> {
  readonly query: OperationQueryOptions<T>
  /** Compute units that asking once costs, as far as is known now. */
  readonly cost: () => number
  /** Why it cannot be asked, if it cannot. */
  readonly invalid?: InvalidParameterError | undefined
}
