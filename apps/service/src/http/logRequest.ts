import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { Environment } from './Environment.ts'
import { header } from './headers.ts'

/** One line a request. Neither headers nor the query: nothing secret gets into the log, whatever clients send. */
export function logRequest(logger: Logger): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const start = performance.now()
    await next()
    // To look at an answer's headers costs more than the rest of this.
    if (!logger.isLevelEnabled('debug')) return
    const { status, headers } = context.res
    logger.debug(
      {
        requestId: context.get('requestId'),
        method: context.req.method,
        path: context.req.path,
        status,
        milliseconds: Math.round(performance.now() - start),
        units: Number(headers.get(header.cost)),
        keyId: context.get('key')?.id,
      },
      'request',
    )
  }
}
