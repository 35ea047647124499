import type { Context } from 'hono'
import type { Environment } from '../Environment.ts'
import { header } from '../headers.ts'
import { setHeaders } from '../middleware/setHeaders.ts'
import { type PreparedBody, writeBody } from './prepareBody.ts'

/**
 * Sends a body with a tag of what it holds, or 304 to who has it already. The tag is weak: answers that differ only in
 * their times have the same.
 */
export function respondTagged(context: Context<Environment>, body: PreparedBody): Response {
  setHeaders(context, tagHeaders(body))
  if (holdsTag(context.req.header('If-None-Match'), body.tag)) {
    return context.body(null, 304)
  }
  context.header('Content-Type', 'application/json')
  return context.body(writeBody(body, context.get('receivedAt')))
}

/** The headers of a tagged body, and of the 304 in its place. */
export function tagHeaders({ tag }: PreparedBody): Record<string, string> {
  return {
    [header.entityTag]: `W/"${tag}"`,
    // Nobody keeps an answer without asking whether it still holds: asking is what counts units.
    'Cache-Control': 'private, no-cache',
  }
}

/** Whether a client has the body of a tag already, by its `If-None-Match`. */
export function holdsTag(ifNoneMatch: string | null | undefined, tag: string): boolean {
  const known = ifNoneMatch?.split(',').map((value) => value.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(`"${tag}"`)
}
