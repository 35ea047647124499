import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { type Body, type PreparedBody, writeBody, writeEnd } from './cache/prepareBody.ts'
import type { BodyEncoder } from './compression/BodyEncoder.ts'
import { selectCoding } from './compression/selectCoding.ts'
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

/** Responds with the parts of a body, which the server writes without copying them. */
function respondParts(
  context: Context<HonoEnv>,
  parts: readonly Uint8Array<ArrayBuffer>[],
): Response {
  const outgoing = getBindings(context)?.outgoing
  if (!outgoing || context.req.raw.method === 'HEAD') {
    return respond(context, Buffer.concat(parts))
  }
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  outgoing.writeHead(200, { ...context.get('headers'), 'Content-Length': length })
  parts.forEach((part) => outgoing.write(part))
  outgoing.end()
  return RESPONSE_ALREADY_SENT
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
  write: () => Body,
): Response {
  setHeaders(context, { [header.entityTag]: entityTag })
  if (isKnown(context, entityTag)) {
    return respond(context, null, 304)
  }
  setHeaders(context, { 'Content-Type': contentType })
  const body = write()
  return typeof body === 'string' ? respond(context, body) : respondParts(context, body)
}

/**
 * Responds with a prepared body. Its entity tag is weak: bodies that differ only in their times and their content coding have the
 * same one.
 *
 * @param encoder - undefined to send bodies as they are.
 */
export function respondPrepared(
  context: Context<HonoEnv>,
  body: PreparedBody,
  encoder: BodyEncoder | undefined,
): Response | Promise<Response> {
  const { tag } = body
  const entityTag = `W/"${tag}"`
  const receivedAt = context.get('receivedAt')
  // A client must revalidate what it stored, because units are charged per request.
  setHeaders(context, {
    'Cache-Control': 'private, no-cache',
    ...(encoder && { Vary: 'Accept-Encoding' }),
  })
  const coding = encoder?.isCompressible(body)
    ? selectCoding(readHeader(context, 'Accept-Encoding'))
    : undefined
  if (!encoder || !coding || isKnown(context, entityTag)) {
    return respondTagged(context, entityTag, 'application/json', () => writeBody(body, receivedAt))
  }
  const respondEncoded = (parts: Body) => {
    setHeaders(context, { 'Content-Encoding': coding })
    return respondTagged(context, entityTag, 'application/json', () => parts)
  }
  const encoded = encoder.encode(body, writeEnd(body, receivedAt), coding)
  return encoded instanceof Promise ? encoded.then(respondEncoded) : respondEncoded(encoded)
}

/** Whether the client has the body with an entity tag. */
function isKnown(context: Context<HonoEnv>, entityTag: string): boolean {
  return matchesEntityTag(readHeader(context, 'If-None-Match'), entityTag)
}

function matchesEntityTag(ifNoneMatch: string | undefined, entityTag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  const known = ifNoneMatch?.split(',').map(opaque) ?? []
  return known.includes('*') || known.includes(opaque(entityTag))
}

/** Reads a header of the request without creating `Headers`, which validates all of them one by one. */
export function readHeader(context: Context<HonoEnv>, name: string): string | undefined {
  const headers = getBindings(context)?.incoming?.headers
  if (!headers) {
    return context.req.header(name)
  }
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

/** The objects of the server; without one, Hono leaves them undefined. */
export function getBindings(context: Context<HonoEnv>): HonoEnv['Bindings'] | undefined {
  return context.env as HonoEnv['Bindings'] | undefined
}
