import type { Operation } from '@headwater/contract'
import type { OperationName } from '../operation/OperationName.ts'
import type { PollLimit } from '../streams/Pollable.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import type { Budget } from './Budget.ts'
import type { Charge } from './createCharge.ts'
import type { Usage } from './Usage.ts'

/** How a request is made, as far as a budget cares. */
interface AdmitOptions {
  /** Whether nobody waits for it, so that it can wait for units. */
  readonly background?: boolean | undefined
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
}

/** What of a declaration says what a request costs. */
export type Priced<Parameters> = Pick<Operation<OperationName, Parameters, never>, 'name' | 'cost'>

/** Counts the compute units that a client spends, and holds them to its budget. */
export interface Ledger extends PollLimit {
  /** What was spent; replays, and tells of changes alone. */
  readonly usage$: SnapshotStream<Usage, Usage>
  /** What was spent so far. */
  readonly getUsage: () => Usage
  /** @throws InvalidParameterError when a number is not 0 or more. */
  setBudget(budget: Budget | undefined): void
  /** Compute units that a request will cost, as far as is known now. */
  costOf<Parameters>(declaration: Priced<Parameters>, parameters: Parameters): number
  /**
   * To be called before a request is sent. What does not fit is refused; work in the background waits instead, as long
   * as that helps.
   *
   * @returns What takes note of how the request ends.
   * @throws BudgetError, or the reason of the signal.
   */
  admit<Parameters>(
    declaration: Priced<Parameters>,
    parameters: Parameters,
    options: AdmitOptions,
  ): Charge | Promise<Charge>
  /** Ends all that waits and all that listens. */
  destroy(): void
}
