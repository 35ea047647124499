import type { OperationName } from '@headwater/contract'
import type { FaultBook } from '../faults/FaultBook.ts'
import type { World } from '../world/World.ts'
import type { FakeChanges } from './changes.ts'
import type { FakeRate, RateLimiter } from './RateLimiter.ts'

/**
 * A request that a fake service received.
 *
 * @example
 * import { createFakeService, type FakeRequest } from '@headwater/testing'
 * const service = createFakeService()
 * const isRejected = ({ status }: FakeRequest) => status >= 400
 * console.log(service.requests.filter(isRejected))
 */
export interface FakeRequest {
  readonly method: string
  readonly url: string
  /** Undefined where the path does not belong to an operation. */
  readonly operation: OperationName | undefined
  /** By their names in the contract, such as `chainIds`; malformed values are strings. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Of the response; 0 for a network failure. */
  readonly status: number
  /** Compute units that the response cost. */
  readonly units: number
}

/** The state of a fake service. */
export interface ServiceState {
  readonly key: string
  readonly apiKeyHeader: string
  /** The total units of the key; undefined without a quota. */
  readonly quota: number | undefined
  readonly rate: FakeRate
  readonly faults: FaultBook
  /** Undefined if the service does not deliver changes. */
  changes: FakeChanges | undefined
  world: World
  limiter: RateLimiter
  requests: FakeRequest[]
  units: number
}
