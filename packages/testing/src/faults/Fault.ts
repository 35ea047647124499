import type { OperationName, Warning } from '@headwater/contract'
import type { ChainFault } from '@headwater/contract/schemas'

/** The requests that a fault applies to. */
export interface FaultScope {
  /** Only requests of this operation. Default: all. */
  readonly operation?: OperationName | undefined
  /** The number of requests. Default: all until it is healed. Requests that it cannot affect do not count. */
  readonly times?: number | undefined
}

/** An error response: 429, 402, 500 or another status of 400 and above. It costs no units. */
export interface StatusFault {
  readonly kind?: 'status'
  readonly status: number
  /** Sent as `Retry-After`: seconds, or a date, which is sent as an HTTP date. */
  readonly retryAfter?: number | Date | undefined
  /** Default: the code of the service for the status, such as `RATE_EXCEEDED`. */
  readonly code?: string | undefined
  readonly message?: string | undefined
  /** Replaces the body: a string is sent unchanged, other values as JSON. */
  readonly body?: unknown
}

/** The connection fails before a response: `fetch` rejects. It costs no units. */
export interface NetworkFault {
  readonly kind: 'network'
}

/** An HTML page of a proxy in front of the service. It costs no units. */
export interface HtmlFault {
  readonly kind: 'html'
  /** Default 502. */
  readonly status?: number | undefined
}

/** The response is delayed. The only fault that uses a timer. */
export interface SlowFault {
  readonly kind: 'slow'
  /** Milliseconds. */
  readonly delay: number
}

/** The response, of the state at the time of the request, is delivered once the fault is healed. */
export interface HoldFault {
  readonly kind: 'hold'
}

/** The connection closes in the middle of the body. It costs units, as the service handled the request. */
export interface CutFault {
  readonly kind: 'cut'
}

/** Every second item is malformed: alternately in an optional and in a required field. */
export interface HalfValidFault {
  readonly kind: 'halfValid'
}

/** Pages after the first are in another order, and start with the last row of the previous page. */
export interface ReorderFault {
  readonly kind: 'reorder'
}

/** Cursors have no effect: the response is the first page, with its cursor. */
export interface DeadCursorFault {
  readonly kind: 'deadCursor'
}

/** The response contains a warning. */
export interface WarningFault {
  readonly kind: 'warning'
  /** Default: one with the code `FAKE_WARNING`. */
  readonly warning?: Warning | undefined
}

/**
 * Stablecoins of a chain lost their peg: responses with prices of the chain have the warning `DEPEGGED`. Their prices are those
 * of the fake service (`setPrice`).
 */
export interface DepeggedFault {
  readonly kind: 'depegged'
  readonly chainId: number
  /** Addresses of the stablecoins. */
  readonly addresses: readonly string[]
}

/** The first item is missing and reported in `errors`, for operations that have that field. */
export interface UnreadableFault {
  readonly kind: 'unreadable'
}

/**
 * A chain is missing: responses with other chains report it in `errors` and `warnings`, and without any they are 503. With
 * `STALE_CHAIN`, responses contain the chain with that warning. A missing chain costs no units.
 */
export interface MissingChainFault {
  readonly kind: 'chain'
  readonly chainId: number
  /** Default `CHAIN_STOPPED`. */
  readonly code?: ChainFault | 'STALE_CHAIN' | undefined
}

/**
 * A way in which a service fails, for {@link FakeService.fail}.
 *
 * @example
 * import { createFakeService, type Fault } from '@headwater/testing'
 * const twice: Fault = { status: 429, retryAfter: 2, operation: 'balances', times: 2 }
 * createFakeService().fail(twice)
 */
export type Fault = FaultScope &
  (
    | StatusFault
    | NetworkFault
    | HtmlFault
    | SlowFault
    | HoldFault
    | CutFault
    | HalfValidFault
    | ReorderFault
    | DeadCursorFault
    | WarningFault
    | DepeggedFault
    | UnreadableFault
    | MissingChainFault
  )

/** The discriminator of a fault. */
export type FaultKind = NonNullable<Fault['kind']>
/** The fault of a kind. */
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly kind?: Kind }>
