import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { allowedMethods, exposedHeaders } from '../headers.ts'
import { setHeaders } from './setHeaders.ts'

const preflight = cors({
  allowMethods: allowedMethods,
  exposeHeaders: exposedHeaders,
  maxAge: 86_400,
})
/** The headers that let every page read an answer. */
export const everyOrigin: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders.join(','),
}

/** Lets every page ask and read: keys travel in a header and never in a cookie. */
export const corsHeaders: MiddlewareHandler = async (context, next) => {
  if (context.req.method === 'OPTIONS') {
    return await preflight(context, next)
  }
  // Hono's own would make a stream of each answer's body, at twice the cost of the rest of a request.
  setHeaders(context, everyOrigin)
  return await next()
}
