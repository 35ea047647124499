import { hash } from 'node:crypto'

/** Bodies from this length on are stored as bytes, because encoding them costs more than all else of sending them. */
const minBufferLength = 8192

/** A body that is ready to be sent: serialized and hashed once, however often it is sent. */
export interface PreparedBody {
  /** Its JSON without the two times, which differ in every response. */
  readonly content: string | Buffer<ArrayBuffer>
  /** A hash of the content. */
  readonly tag: string
  readonly hasTimes: boolean
}

/** Serializes a body and hashes its content. */
export function prepareBody(body: object): PreparedBody {
  const { request_time, response_time, ...rest } = body as Record<string, unknown>
  const text = JSON.stringify(rest)
  const content = text.length < minBufferLength ? text : Buffer.from(text)
  const tag = hash('sha256', content, 'base64url')
  return { content, tag, hasTimes: request_time !== undefined && response_time !== undefined }
}

/** A body that is sent: text, or bytes in parts, since copying long ones for each response takes longer than sending them. */
export type Body = string | readonly Uint8Array<ArrayBuffer>[]

/** Adds the times of a request to a prepared body. */
export function writeBody(body: PreparedBody, receivedAt: Date): Body {
  const { content } = body
  const end = writeEnd(body, receivedAt)
  return typeof content === 'string'
    ? content.slice(0, -1) + end
    : [content.subarray(0, -1), Buffer.from(end)]
}

/** The end of a body with the times of a request, which replaces the last character of the content. */
export function writeEnd({ content, hasTimes }: PreparedBody, receivedAt: Date): string {
  if (!hasTimes) {
    return '}'
  }
  const now = new Date()
  const received = receivedAt.toISOString()
  const responded = now.getTime() === receivedAt.getTime() ? received : now.toISOString()
  const isEmpty = content.length === '{}'.length
  return `${isEmpty ? '' : ','}"request_time":"${received}","response_time":"${responded}"}`
}
