import { createHash } from 'node:crypto'

/** A body that is ready to be sent: written and tagged once, however often it is sent. */
export interface PreparedBody {
  /** Its JSON without the two times, which differ in every answer and say nothing about what it holds. */
  readonly content: string
  readonly tag: string
  readonly hasTimes: boolean
}

/** Writes a body and makes a tag of what it holds. */
export function prepareBody(body: object): PreparedBody {
  const { request_time, response_time, ...rest } = body as Record<string, unknown>
  const content = JSON.stringify(rest)
  const tag = createHash('sha256').update(content).digest('base64url')
  return { content, tag, hasTimes: request_time !== undefined && response_time !== undefined }
}

/** The body as it is sent now, to a request that came in then. */
export function writeBody({ content, hasTimes }: PreparedBody, receivedAt: Date): string {
  if (!hasTimes) return content
  const now = new Date()
  const received = receivedAt.toISOString()
  const responded = now.getTime() === receivedAt.getTime() ? received : now.toISOString()
  const times = `"request_time":"${received}","response_time":"${responded}"}`
  return `${content.slice(0, -1)}${content === '{}' ? '' : ','}${times}`
}
