import { hash } from 'node:crypto'

/** From this length on a body is kept as bytes, as to encode it costs more than all else that is done to send it. */
const LONG = 8192

/** A body that is ready to be sent: written and tagged once, however often it is sent. */
export interface PreparedBody {
  /** Its JSON without the two times, which differ in every answer and say nothing about what it holds. */
  readonly content: string | Buffer<ArrayBuffer>
  readonly tag: string
  readonly hasTimes: boolean
}

/** Writes a body and makes a tag of what it holds. */
export function prepareBody(body: object): PreparedBody {
  const { request_time, response_time, ...rest } = body as Record<string, unknown>
  const text = JSON.stringify(rest)
  const content = text.length < LONG ? text : Buffer.from(text)
  const tag = hash('sha256', content, 'base64url')
  return { content, tag, hasTimes: request_time !== undefined && response_time !== undefined }
}

/** The body as it is sent now, to a request that came in then. */
export function writeBody(
  { content, hasTimes }: PreparedBody,
  receivedAt: Date,
): string | Buffer<ArrayBuffer> {
  if (!hasTimes) {
    return content
  }
  const now = new Date()
  const received = receivedAt.toISOString()
  const responded = now.getTime() === receivedAt.getTime() ? received : now.toISOString()
  const isEmpty = content.length === '{}'.length
  const times = `${isEmpty ? '' : ','}"request_time":"${received}","response_time":"${responded}"}`
  if (typeof content === 'string') {
    return content.slice(0, -1) + times
  }
  return Buffer.concat([content.subarray(0, -1), Buffer.from(times)])
}
