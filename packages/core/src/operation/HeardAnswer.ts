import type { OperationName } from './OperationName.ts'

/** An answer that came over the network. */
export interface HeardAnswer {
  readonly operation: OperationName
  /** What was asked, normalized. */
  readonly parameters: object
  /** What was answered, as far as it can be read. */
  readonly answer: object
  /** When it was asked for, by the local clock in milliseconds: it was made after that. */
  readonly sentAt: number
  /** When it came, by the local clock in milliseconds. */
  readonly receivedAt: number
}
