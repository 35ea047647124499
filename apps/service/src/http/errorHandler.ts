import type { Context } from 'hono'
import type { Logger } from 'pino'
import { InvalidRequestError } from '@headwater/contract/schemas'
import type { ApiKey } from '../keys/ApiKey.ts'
import type { UnitMeter } from '../keys/UnitMeter.ts'
import { ApiError } from '../operations/ApiError.ts'
import { isDatabaseUnavailable } from '../store/isDatabaseUnavailable.ts'
import { header } from './headers.ts'
import type { HonoEnv } from './HonoEnv.ts'
import { respondJson, setHeaders, unitHeaders } from './respond.ts'

/**
 * Creates the handler of requests that fail. The client receives the message of an `ApiError`; any other error is logged,
 * and the response does not reveal it.
 */
export function createErrorHandler(
  meter: Pick<UnitMeter, 'remaining'>,
  logger: Logger,
): (error: unknown, context: Context<HonoEnv>) => Response {
  return (error, context) => {
    const requestId = context.get('requestId')
    const { status, code, message, param, retryAfterSeconds } = describe(error)
    if (status === 500) {
      logger.error({ requestId, err: error }, 'request failed')
    } else if (code === 'STORE_UNAVAILABLE') {
      logger.warn({ requestId, err: error }, 'failed to read the store')
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
