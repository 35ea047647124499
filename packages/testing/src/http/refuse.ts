import type { InvalidRequestError } from '@headwater/contract/schemas'
import type { FaultOf } from '../faults/Fault.ts'
import { everyOrigin, header } from './headers.ts'
import { RefusalError } from './RefusalError.ts'
import type { Reply } from './Reply.ts'
import { describeStatus } from './statuses.ts'

/** A refusal as the service sends it. */
export function refuse(
  refusal: RefusalError | InvalidRequestError,
  headers: Readonly<Record<string, string>>,
): Reply {
  const { status, code, message, param } = refusal
  const request_id = headers[header.requestId]
  return {
    status,
    headers: {
      ...headers,
      ...('headers' in refusal && refusal.headers),
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ error: message, message, code, ...(param && { param }), request_id }),
  }
}

/** What arrives in place of an answer, because a test asked for it. */
export function refuseByFault(
  fault: FaultOf<'status' | 'html' | 'network'>,
  headers: Readonly<Record<string, string>>,
): Reply {
  if (fault.kind === 'network') {
    return { status: 0, headers: {}, failure: 'network' }
  }
  if (fault.kind === 'html') {
    const { status = 502 } = fault
    const body = '<!doctype html><html><body><h1>Bad gateway</h1></body></html>'
    return { status, headers: { ...everyOrigin, 'Content-Type': 'text/html' }, body }
  }
  const { status, retryAfter, body } = fault
  const [code, message] = describeStatus(status)
  const after = retryAfter instanceof Date ? retryAfter.toUTCString() : retryAfter
  const reply = refuse(
    new RefusalError(status, fault.code ?? code, fault.message ?? message, {
      headers: after === undefined ? {} : { [header.retryAfter]: String(after) },
    }),
    headers,
  )
  if (body === undefined) {
    return reply
  }
  if (typeof body !== 'string') {
    return { ...reply, body: JSON.stringify(body) }
  }
  return { ...reply, headers: { ...reply.headers, 'Content-Type': 'text/plain' }, body }
}
