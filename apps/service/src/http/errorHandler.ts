import type { Context } from 'hono'
import { InvalidRequestError } from '@headwater/contract/schemas'
import type { ApiKey } from '../keys/ApiKey.ts'
import type { UnitMeter } from '../keys/UnitMeter.ts'
import { ApiError } from '../operations/ApiError.ts'
import { isDatabaseUnavailable } from '../store/isDatabaseUnavailable.ts'
import { msPerMinute } from '../time.ts'
import { header } from './headers.ts'
import type { HonoEnv } from './HonoEnv.ts'
import { respondJson, setHeaders, unitHeaders } from './respond.ts'
import type { Service } from './Service.ts'

/** Failed reads of stores that are not known to be unavailable are warnings at most this often. */
const warnIntervalMs = msPerMinute

/**
 * Creates the handler of requests that fail. The client receives the message of an `ApiError`; any other error is logged,
 * and the response does not reveal it.
 */
export function createErrorHandler(
  meter: Pick<UnitMeter, 'remaining'>,
  { watch, logger }: Pick<Service, 'watch' | 'logger'>,
): (error: unknown, context: Context<HonoEnv>) => Response {
  let warnedAt = -Infinity
  // The watch of a store logs once that it is unavailable. A single query may also fail, such as one that takes too long.
  const logStoreFailure = (requestId: string, error: unknown) => {
    // An error of `/ready` has that of the store as its cause.
    const isKnown = (error instanceof ApiError && !error.cause) || watch.isUnavailable()
    const now = performance.now()
    const isWarning = !isKnown && now - warnedAt > warnIntervalMs
    warnedAt = isWarning ? now : warnedAt
    logger[isWarning ? 'warn' : 'debug']({ requestId, err: error }, 'failed to read the store')
  }
  return (error, context) => {
    const requestId = context.get('requestId')
    const { status, code, message, param, retryAfterSeconds } = describe(error)
    if (status === 500) {
      logger.error({ requestId, err: error }, 'request failed')
    } else if (code === 'STORE_UNAVAILABLE') {
      logStoreFailure(requestId, error)
    }
    const key = context.get('apiKey') as ApiKey | undefined
    setHeaders(context, {
      'Cache-Control': 'no-store',
      ...unitHeaders(0, key && meter.remaining(key)),
      ...(retryAfterSeconds !== undefined && { [header.retryAfter]: String(retryAfterSeconds) }),
    })
    const body = { error: message, message, code, ...(param !== undefined && { param }) }
    return respondJson(context, { ...body, request_id: requestId }, status)
  }
}

interface ErrorDescription extends Pick<ApiError, 'code' | 'message'> {
  readonly status: number
  readonly param?: string | undefined
  readonly retryAfterSeconds?: number | undefined
}

function describe(error: unknown): ErrorDescription {
  if (error instanceof ApiError || error instanceof InvalidRequestError) {
    return error
  }
  if (isDatabaseUnavailable(error)) {
    return {
      status: 503,
      code: 'STORE_UNAVAILABLE',
      message: 'The service cannot read its data now',
      retryAfterSeconds: 5,
    }
  }
  return {
    status: 500,
    code: 'INTERNAL_ERROR',
    message: 'Internal error; report the request id to the operator of the service',
  }
}
