import { isObject } from '../isObject.ts'

/** A query that a tab polls. */
export interface TabQuery {
  readonly operation: string
  readonly parameters: object
  /** Milliseconds between a response and the next poll. */
  readonly interval: number
}

/** A response that a tab received from the service. */
export interface TabResponse {
  readonly operation: string
  readonly parameters: object
  readonly data: object
  /** When it was received, by the clock of the machine in milliseconds. */
  readonly updatedAt: number
}

/** Messages between tabs. They contain data, never a key. `from` is the sender's id. */
export type TabMessage = { readonly from: string } & (
  | /** A new tab requests the cached responses of the leader. */ { readonly type: 'hello' }
  | /** A new leader requests the queries of all tabs. */ { readonly type: 'lead' }
  | /** Whether changes are pushed to the leader. */ {
      readonly type: 'live'
      readonly isLive: boolean
      /** The names of the operations that the leader knows, and the subjects that it follows; of older versions undefined. */
      readonly followed?: readonly unknown[] | undefined
    }
  | /** All queries of a tab. */ {
      readonly type: 'watch'
      readonly queries: readonly TabQuery[]
    }
  | /** Responses; for one tab or for all. */ {
      readonly type: 'responses'
      readonly responses: readonly TabResponse[]
      readonly to?: string
    }
)

/** Parses a message, which may be from another version of the app; `undefined` if it is invalid. */
export function parseTabMessage(value: unknown): TabMessage | undefined {
  if (!isObject(value) || typeof value.from !== 'string') {
    return undefined
  }
  const { from, type, to, queries, responses, isLive, followed } = value
  if (type === 'hello' || type === 'lead') {
    return { from, type }
  }
  if (type === 'live') {
    return {
      from,
      type,
      isLive: isLive === true,
      ...(Array.isArray(followed) && { followed: followed as unknown[] }),
    }
  }
  if (type === 'watch' && Array.isArray(queries)) {
    return { from, type, queries: queries.filter(isTabQuery) }
  }
  if (type === 'responses' && Array.isArray(responses)) {
    return {
      from,
      type,
      responses: responses.filter(isTabResponse),
      ...(typeof to === 'string' && { to }),
    }
  }
  return undefined
}

function isTabQuery(value: unknown): value is TabQuery {
  return isRequest(value) && isTime(value.interval) && value.interval > 0
}

function isTabResponse(value: unknown): value is TabResponse {
  return isRequest(value) && isObject(value.data) && isTime(value.updatedAt)
}

function isRequest(value: unknown): value is Record<string, unknown> {
  return isObject(value) && typeof value.operation === 'string' && isObject(value.parameters)
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
