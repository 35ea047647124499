import type { Context } from 'hono'
import type { Logger } from 'pino'
import { InvalidRequestError } from '@headwater/contract/schemas'
import { ApiError } from '../../operations/ApiError.ts'
import type { Environment } from '../Environment.ts'
import { header } from '../headers.ts'
import { isDatabaseUnavailable } from './isDatabaseUnavailable.ts'

/** Answers a request that failed. What is not a refusal goes to the log, and the answer tells nothing of it. */
export function errorHandler(
  context: Context<Environment>,
  error: unknown,
  logger: Logger,
): Response {
  if (error instanceof ApiError || error instanceof InvalidRequestError) {
    return respond(context, error.status, error)
  }
  const requestId = context.get('requestId')
  if (isDatabaseUnavailable(error)) {
    logger.warn({ requestId, err: error }, 'the store is away')
    return respond(context, 503, {
      code: 'STORE_UNAVAILABLE',
      message: 'The service cannot read its data now',
      retryAfterSeconds: 5,
    })
  }
  logger.error({ requestId, err: error }, 'a request failed')
  return respond(context, 500, {
    code: 'INTERNAL_ERROR',
    message: 'The service failed to answer; tell its operator the request id',
  })
}

type Refusal = Pick<ApiError, 'code' | 'message'> &
  Partial<Pick<ApiError, 'param' | 'retryAfterSeconds'>>

function respond(
  context: Context<Environment>,
  status: ApiError['status'] | 500,
  { code, message, param, retryAfterSeconds }: Refusal,
): Response {
  context.header('Cache-Control', 'no-store')
  context.header(header.cost, '0')
  if (retryAfterSeconds !== undefined) {
    context.header(header.retryAfter, String(retryAfterSeconds))
  }
  const request_id = context.get('requestId')
  return context.json(
    { error: message, message, code, ...(param !== undefined && { param }), request_id },
    status,
  )
}
