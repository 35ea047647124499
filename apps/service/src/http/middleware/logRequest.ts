import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { Environment } from '../Environment.ts'
import { header } from '../headers.ts'
import type { Metrics } from '../Metrics.ts'
import { recordRequest } from './recordRequest.ts'

/** Has every request recorded, however it ends. */
export function logRequest(logger: Logger, metrics: Metrics): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const start = performance.now()
    await next()
    const { res } = context
    recordRequest(
      { logger, metrics },
      { operation: context.get('operation'), status: res.status, start },
      () => ({
        requestId: context.get('requestId'),
        method: context.req.method,
        path: context.req.path,
        units: Number(res.headers.get(header.cost)),
        keyId: context.get('key')?.id,
      }),
    )
  }
}
