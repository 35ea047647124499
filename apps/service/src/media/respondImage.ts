import type { Context } from 'hono'
import type { Environment } from '../http/Environment.ts'
import { header } from '../http/headers.ts'
import type { Image } from './ImageLoader.ts'

const headers = {
  // What is at a stranger's URL may change, though it seldom does.
  'Cache-Control': 'public, max-age=86400, stale-while-revalidate=604800',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * Sends a stranger's image as what its bytes are, so that it stays one: nothing in it runs, nor is it taken for a page.
 */
export function respondImage(context: Context<Environment>, { type, bytes, tag }: Image): Response {
  for (const [name, value] of Object.entries(headers)) {
    context.header(name, value)
  }
  const entityTag = `"${tag}"`
  context.header(header.entityTag, entityTag)
  const known =
    context.req
      .header('If-None-Match')
      ?.split(',')
      .map((value) => value.trim()) ?? []
  if (known.some((value) => value === '*' || value.replace(/^W\//, '') === entityTag)) {
    return context.body(null, 304)
  }
  context.header('Content-Type', type)
  return context.body(bytes as Uint8Array<ArrayBuffer>)
}
