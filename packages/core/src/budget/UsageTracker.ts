import type { Operation, OperationName } from '@headwater/contract'
import { getAbortReason } from '../environment.ts'
import { NetworkError } from '../errors/NetworkError.ts'
import type { RequestListener } from '../requests/createTransport.ts'
import { idle } from '../snapshots/createSnapshots.ts'
import { SharedSource } from '../snapshots/SharedSource.ts'
import { SnapshotObservable } from '../snapshots/SnapshotObservable.ts'
import { msPerMinute } from '../time.ts'
import type { Usage } from './Budget.ts'
import type { AdmissionOptions, BudgetLimiter, Estimate } from './BudgetLimiter.ts'

/** The part of an operation that determines its cost. */
export type PricedOperation<Parameters> = Pick<
  Operation<OperationName, Parameters, never, never>,
  'name' | 'cost'
>

/** Records the cost of a request, once: with its headers or its error. */
export interface Charge extends RequestListener {
  /** Called if the request fails, with or without a response. */
  readonly onError: (error: unknown) => void
}

const maxMinutes = 60

/** Counts the compute units of a client. */
export class UsageTracker {
  /** Enforces the budget; undefined until `setBudget` is called. */
  limiter: BudgetLimiter | undefined
  #usage: Usage = { spent: 0, byOperation: {}, byMinute: [], remaining: undefined }
  /** Units above 0 that the service charged last, by `chainIds`. Only the service resolves tags. */
  readonly #chargedUnits = new Map<string, number>()
  #isDestroyed = false
  readonly #source = new SharedSource<Usage>(
    {
      read: () => this.#usage,
      readFetchState: () => idle,
      start() {},
      stop() {},
    },
    () => this.#isDestroyed,
  )
  readonly usage$ = new SnapshotObservable<Usage, Usage>(this.#source)

  readonly getUsage = (): Usage => this.#usage

  /** Estimated compute units of a request. */
  estimate<Parameters>(operation: PricedOperation<Parameters>, parameters: Parameters): number {
    return this.#getEstimate(operation, parameters).units
  }

  /**
   * Admits a request under the budget before it is sent. Without enough units, a background request waits, and any other is
   * rejected. While the cost of a request in flight is unknown, all wait.
   *
   * @returns Synchronously, unless the request waits.
   * @throws {BudgetError} when the budget does not allow it.
   * @throws {unknown} `signal.reason` when the signal aborts, or what `getRejection` returns.
   */
  admit<Parameters>(
    operation: PricedOperation<Parameters>,
    parameters: Parameters,
    options: AdmissionOptions,
  ): Charge | Promise<Charge> {
    if (options.signal?.aborted) {
      throw getAbortReason(options.signal)
    }
    const getEstimate = () => this.#getEstimate(operation, parameters)
    const estimate = this.limiter?.acquire(getEstimate, options) ?? getEstimate()
    const createCharge = (acquired: Estimate) => this.#createCharge(operation, parameters, acquired)
    return estimate instanceof Promise ? estimate.then(createCharge) : createCharge(estimate)
  }

  /** Rejects queued requests and completes `usage$`. */
  destroy(): void {
    this.#isDestroyed = true
    this.limiter?.destroy()
    this.#source.complete()
  }

  /**
   * The cost of a request by its outcome:
   *
   * - response: the headers, else the estimate;
   * - error response: the headers, else 0;
   * - aborted or timed out after it was sent: the estimate, as the service charges for it;
   * - network error: 0, as the request rarely arrived.
   */
  #createCharge<Parameters>(
    { name, cost }: PricedOperation<Parameters>,
    parameters: Parameters,
    estimate: Estimate,
  ): Charge {
    let isSent = false
    let isSettled = false
    const settle = (units: number, remaining?: number, isSuccess = false) => {
      if (isSettled) {
        return
      }
      isSettled = true
      // Without a cost header, the estimate becomes the known cost; otherwise later requests would wait. A charge of 0 does not
      // show what the next request costs: a proxy shared the response, or no chain was available.
      if (isSuccess && units > 0) {
        // `cost` is called for the `chainIds` that it counts.
        cost(parameters, (chainIds) => {
          this.#chargedUnits.set(String(chainIds), units)
          return units
        })
      }
      this.#record(name, units, remaining)
      this.limiter?.release(estimate, units)
    }
    return {
      onSend() {
        isSent = true
      },
      onHeaders({ ok, headers }) {
        const units = parseUnitsHeader(headers, 'cost')
        const remaining = parseUnitsHeader(headers, 'remaining')
        settle(units ?? (ok ? estimate.units : 0), remaining, ok)
      },
      onError(error) {
        settle(isSent && !(error instanceof NetworkError) ? estimate.units : 0)
      },
    }
  }

  #getEstimate<Parameters>(
    { cost }: PricedOperation<Parameters>,
    parameters: Parameters,
  ): Estimate {
    let isExact = true
    const units = cost(parameters, (chainIds) => {
      const charged = this.#chargedUnits.get(String(chainIds))
      isExact = charged !== undefined || (chainIds?.every((id) => typeof id === 'number') ?? false)
      return charged ?? chainIds?.length ?? 1
    })
    return { units, isExact }
  }

  #record(operation: OperationName, units: number, remaining = this.#usage.remaining): void {
    if (units === 0 && remaining === this.#usage.remaining) {
      return
    }
    const { spent, byOperation, byMinute } = this.#usage
    this.#usage = {
      ...this.#usage,
      ...(units > 0 && {
        spent: spent + units,
        byOperation: { ...byOperation, [operation]: (byOperation[operation] ?? 0) + units },
        byMinute: addToMinute(byMinute, units),
      }),
      remaining,
    }
    this.#source.update()
  }
}

function parseUnitsHeader(headers: Headers, name: 'cost' | 'remaining'): number | undefined {
  const value = Number(headers.get(`x-compute-units-${name}`) || NaN)
  return value >= 0 && value < Infinity ? value : undefined
}

function addToMinute(minutes: Usage['byMinute'], units: number): Usage['byMinute'] {
  const startedAt = Math.floor(Date.now() / msPerMinute) * msPerMinute
  const current = minutes.find((minute) => minute.startedAt === startedAt)
  // Later minutes are from before the clock was set back.
  const past = minutes.filter((minute) => minute.startedAt < startedAt)
  return [...past, { startedAt, spent: (current?.spent ?? 0) + units }].slice(-maxMinutes)
}
