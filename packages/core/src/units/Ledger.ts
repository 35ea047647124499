import type { Operation } from '@headwater/contract'
import { Observable, type Subscriber } from 'rxjs'
import type { OperationName } from '../operation/OperationName.ts'
import { createCharge, type Charge } from './createCharge.ts'
import type { Usage } from './Usage.ts'

/** How a request is made, as far as a budget cares. */
export interface AdmitOptions {
  /** Whether nobody waits for it, so that it can wait for units. */
  readonly background?: boolean | undefined
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
}

/** What of a declaration says what a request costs. */
type Priced<Parameters> = Pick<Operation<OperationName, Parameters, never>, 'name' | 'cost'>

const minute = 60_000
/** For how many minutes it is told what each one spent. */
const minutesKept = 60

/** Counts the compute units that a client spends. */
export class Ledger {
  #usage: Usage = { spent: 0, byOperation: {}, byMinute: [], remaining: undefined }
  /** Sizes of sets of chains that only the service knows, as it charged for them last. */
  readonly #counts = new Map<string, number>()
  readonly #subscribers = new Set<Subscriber<Usage>>()

  readonly usage$ = new Observable<Usage>((subscriber) => {
    this.#subscribers.add(subscriber)
    subscriber.next(this.#usage)
    return () => this.#subscribers.delete(subscriber)
  })

  readonly getUsage = (): Usage => this.#usage

  /** Compute units that a request will cost, as far as is known now. */
  costOf<Parameters>({ cost }: Priced<Parameters>, parameters: Parameters): number {
    return cost(
      parameters,
      (chainIds) => this.#counts.get(String(chainIds)) ?? chainIds?.length ?? 1,
    )
  }

  /**
   * To be called before a request is sent.
   *
   * @returns What takes note of how it ends.
   */
  admit<Parameters>(
    declaration: Priced<Parameters>,
    parameters: Parameters,
    { signal }: AdmitOptions,
  ): Charge | Promise<Charge> {
    if (signal?.aborted) throw signal.reason as Error
    const estimate = this.costOf(declaration, parameters)
    return createCharge(estimate, (units, remaining, isExact) => {
      if (isExact && units !== estimate) {
        declaration.cost(parameters, (chainIds) => {
          this.#counts.set(String(chainIds), units)
          return units
        })
      }
      this.#count(declaration.name, units, remaining)
    })
  }

  /** By how much polling is to be slowed down; at least 1. */
  stretch(): number {
    return 1
  }

  /** Whether a poll of so many units may be made now. */
  mayPoll(cost: number): boolean {
    return cost < Infinity
  }

  destroy(): void {
    for (const subscriber of [...this.#subscribers]) subscriber.complete()
  }

  #count(operation: OperationName, units: number, remaining = this.#usage.remaining): void {
    if (units === 0 && remaining === this.#usage.remaining) return
    const { spent, byOperation, byMinute } = this.#usage
    const startedAt = Math.floor(Date.now() / minute) * minute
    const newest = byMinute.at(-1)
    const isOpen = newest?.startedAt === startedAt
    this.#usage = {
      spent: spent + units,
      byOperation: { ...byOperation, [operation]: (byOperation[operation] ?? 0) + units },
      byMinute: [
        ...(isOpen ? byMinute.slice(0, -1) : byMinute).slice(1 - minutesKept),
        { startedAt, spent: (isOpen ? newest.spent : 0) + units },
      ],
      remaining,
    }
    for (const subscriber of [...this.#subscribers]) subscriber.next(this.#usage)
  }
}
