import type { OperationName } from '@headwater/contract'
import type { FaultBook } from '../faults/FaultBook.ts'
import type { World } from '../world/World.ts'
import type { FakeRate, RateLimiter } from './RateLimiter.ts'

/**
 * A request that a fake service was asked.
 *
 * @example
 * import { createFakeService, type FakeRequest } from '@headwater/testing'
 * const service = createFakeService()
 * const refused = ({ status }: FakeRequest) => status >= 400
 * console.log(service.requests.filter(refused))
 */
export interface FakeRequest {
  readonly method: string
  readonly url: string
  /** Undefined where the path is none of an operation. */
  readonly operation: OperationName | undefined
  /** As the contract names them, such as `chainIds`; what is malformed is as it came. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Of the answer; 0 where none was to arrive. */
  readonly status: number
  /** Compute units that the answer cost. */
  readonly units: number
}

/** What changes while a fake service is asked. */
export interface ServiceState {
  readonly key: string
  /** Units that the key has in all; undefined for any number. */
  readonly quota: number | undefined
  readonly rate: FakeRate
  readonly faults: FaultBook
  world: World
  limiter: RateLimiter
  requests: FakeRequest[]
  units: number
}
