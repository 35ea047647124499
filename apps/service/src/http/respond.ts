import type { Context } from 'hono'
import { type PreparedBody, writeBody } from './cache/prepareBody.ts'
import { header } from './headers.ts'
import type { HonoEnv } from './HonoEnv.ts'

/** Adds headers to the response of a request, whether it succeeds or fails. */
export function setHeaders(
  context: Context<HonoEnv>,
  headers: Readonly<Record<string, string>>,
): void {
  Object.assign(context.get('headers'), headers)
}

/** Headers with the units that a response costs, and those that remain in the quota of its key. */
export function unitHeaders(cost: number, remaining: number | undefined): Record<string, string> {
  return {
    [header.cost]: String(cost),
    ...(remaining !== undefined && { [header.unitsRemaining]: String(remaining) }),
  }
}

/**
 * Creates the response of a request, with the headers collected so far. They are one plain object, which the server writes
 * as it is; it copies `Headers` entry by entry, at several times the cost of the rest of a cached response.
 */
export function respond(
  context: Context<HonoEnv>,
  body: string | Uint8Array<ArrayBuffer> | null,
  status = 200,
): Response {
  return new Response(body, { status, headers: context.get('headers') })
}

/** Responds with a value as JSON. */
export function respondJson(context: Context<HonoEnv>, value: object, status = 200): Response {
  setHeaders(context, { 'Content-Type': 'application/json' })
  return respond(context, JSON.stringify(value), status)
}

/** Responds with a body and its entity tag, or with 304 if the client has the body already. */
export function respondTagged(
  context: Context<HonoEnv>,
  entityTag: string,
  contentType: string,
  write: () => string | Uint8Array<ArrayBuffer>,
): Response {
  setHeaders(context, { [header.entityTag]: entityTag })
  if (matchesEntityTag(readHeader(context, 'If-None-Match'), entityTag)) {
    return respond(context, null, 304)
  }
  setHeaders(context, { 'Content-Type': contentType })
  return respond(context, write())
}

/** Responds with a prepared body. Its entity tag is weak: bodies that differ only in their times have the same one. */
export function respondPrepared(context: Context<HonoEnv>, body: PreparedBody): Response {
  // A client must revalidate what it stored, because units are charged per request.
  setHeaders(context, { 'Cache-Control': 'private, no-cache' })
  return respondTagged(context, `W/"${body.tag}"`, 'application/json', () =>
    writeBody(body, context.get('receivedAt')),
  )
}

function matchesEntityTag(ifNoneMatch: string | undefined, entityTag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  const known = ifNoneMatch?.split(',').map(opaque) ?? []
  return known.includes('*') || known.includes(opaque(entityTag))
}

/** Reads a header of the request without creating `Headers`, which validates all of them one by one. */
export function readHeader(context: Context<HonoEnv>, name: string): string | undefined {
  // Without a server, Hono leaves the bindings undefined.
  const bindings = context.env as HonoEnv['Bindings'] | undefined
  const headers = bindings?.incoming?.headers
  if (!headers) {
    return context.req.header(name)
  }
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}
