import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { header } from './headers.ts'

/** Fields that differ in every answer and say nothing about what it holds. */
const volatile = new Set(['request_time', 'response_time'])

/**
 * Sends a body with a tag of what it holds, or 304 to who has it already. The tag is weak: answers that differ only in
 * their times have the same.
 */
export function respondTagged(context: Context, body: object): Response {
  const content = JSON.stringify(body, (key, value: unknown) =>
    volatile.has(key) ? undefined : value,
  )
  const tag = createHash('sha256').update(content).digest('base64url')
  context.header(header.entityTag, `W/"${tag}"`)
  // Nobody keeps an answer without asking whether it still holds: asking is what counts units.
  context.header('Cache-Control', 'private, no-cache')
  if (holds(context.req.header('If-None-Match'), tag)) return context.body(null, 304)
  return context.json(body)
}

function holds(ifNoneMatch: string | undefined, tag: string): boolean {
  const known = ifNoneMatch?.split(',').map((value) => value.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(`"${tag}"`)
}
