import type { OperationName, Warning } from '@headwater/contract'

/** Which requests a fault meets, and how many of them. */
export interface FaultScope {
  /** Only requests of this operation. Default: of any. */
  readonly operation?: OperationName
  /** So many requests, those that it makes a difference to. Default: all until it is healed. */
  readonly times?: number
}

/** A refusal: 429, 402, 500 or any other status from 400 on. It costs no units. */
export interface StatusFault {
  readonly kind?: 'status'
  readonly status: number
  /** When to come back: seconds, or a date, which is sent as an HTTP date. */
  readonly retryAfter?: number | Date
  /** Default: what the service says of this status, such as `RATE_EXCEEDED`. */
  readonly code?: string
  readonly message?: string
  /** Replaces the whole body: a text is sent as it is, anything else as JSON. */
  readonly body?: unknown
}

/** The connection fails before anything arrives: `fetch` rejects. It costs no units. */
export interface NetworkFault {
  readonly kind: 'network'
}

/** A page of HTML from something before the service. It costs no units. */
export interface HtmlFault {
  readonly kind: 'html'
  /** Default 502. */
  readonly status?: number
}

/** The answer comes, but late. The only thing of the fake service that needs a timer. */
export interface SlowFault {
  readonly kind: 'slow'
  /** Milliseconds. */
  readonly delay: number
}

/** The answer, as of when it was asked, comes once this is healed. */
export interface HoldFault {
  readonly kind: 'hold'
}

/** The body breaks off in its middle. It costs units: the service has done its work. */
export interface CutFault {
  readonly kind: 'cut'
}

/** Every second item is malformed: in turn in a field it can do without, and in one that it cannot. */
export interface HalfValidFault {
  readonly kind: 'halfValid'
}

/** A page that follows another is in another order, and begins with the last row of the page before once more. */
export interface ReorderFault {
  readonly kind: 'reorder'
}

/** A cursor has no effect any more: the first page answers, with its cursor. */
export interface DeadCursorFault {
  readonly kind: 'deadCursor'
}

/** The answer carries a warning. */
export interface WarningFault {
  readonly kind: 'warning'
  /** Default: one whose code is `FAKE_WARNING`. */
  readonly warning?: Warning
}

/** The first item could not be read: it is missing, and `errors` says so, of operations that have that field. */
export interface UnreadableFault {
  readonly kind: 'unreadable'
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
    | UnreadableFault
  )

/** What a fault is called. */
export type FaultKind = NonNullable<Fault['kind']>
/** The fault of a kind. */
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly kind?: Kind }>
