import { hash } from 'node:crypto'

/** A body that is ready to be sent: written and tagged once, however often it is sent. */
export interface PreparedBody {
  /**
   * Its JSON without the two times, which differ in every answer and say nothing about what it holds. As bytes: to
   * encode a long text costs more than all else that is done to send it.
   */
  readonly content: Buffer<ArrayBuffer>
  readonly tag: string
  readonly hasTimes: boolean
}

/** Writes a body and makes a tag of what it holds. */
export function prepareBody(body: object): PreparedBody {
  const { request_time, response_time, ...rest } = body as Record<string, unknown>
  const content = Buffer.from(JSON.stringify(rest))
  const tag = hash('sha256', content, 'base64url')
  return { content, tag, hasTimes: request_time !== undefined && response_time !== undefined }
}

/** The body as it is sent now, to a request that came in then. */
export function writeBody(
  { content, hasTimes }: PreparedBody,
  receivedAt: Date,
): Buffer<ArrayBuffer> {
  if (!hasTimes) return content
  const now = new Date()
  const received = receivedAt.toISOString()
  const responded = now.getTime() === receivedAt.getTime() ? received : now.toISOString()
  const isEmpty = content.length === '{}'.length
  const times = `${isEmpty ? '' : ','}"request_time":"${received}","response_time":"${responded}"}`
  return Buffer.concat([content.subarray(0, -1), Buffer.from(times)])
}
