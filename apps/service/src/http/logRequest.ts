import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { Environment } from './Environment.ts'
import { header } from './headers.ts'
import type { Metrics } from './Metrics.ts'

/** One line a request, and its part of the figures. Neither headers nor the query: nothing secret gets into the log, whatever clients send. */
export function logRequest(logger: Logger, metrics: Metrics): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const start = performance.now()
    await next()
    const milliseconds = performance.now() - start
    metrics.answered(context.get('operation') ?? 'other', context.res.status, milliseconds / 1000)
    // To look at an answer's headers costs more than the rest of this.
    if (!logger.isLevelEnabled('debug')) return
    const { status, headers } = context.res
    logger.debug(
      {
        requestId: context.get('requestId'),
        method: context.req.method,
        path: context.req.path,
        status,
        milliseconds: Math.round(milliseconds),
        units: Number(headers.get(header.cost)),
        keyId: context.get('key')?.id,
      },
      'request',
    )
  }
}
