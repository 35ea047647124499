import type { Answer, Question } from './Question.ts'
import { NodeError, type NodeErrorKind } from './NodeError.ts'
import type { HttpAnswer } from './postJson.ts'

/**
 * JSON-RPC codes by which a node speaks of itself and not of the question: it is busy or limits us (-32002, -32005,
 * 429), has not this block (-32001), or does not know the method (-32601, -32004). Later, or elsewhere, it may be well.
 */
const nodeCodes = new Set([-32002, -32005, 429, -32001, -32601, -32004])
const tooManyRequests = 429
const contentTooLarge = 413

type Fields = Record<string, unknown>

/**
 * Reads the answers to the questions of one request, in the order of the questions.
 *
 * A JSON-RPC error mostly means that repeating the question brings the same; everything else (connection, timeout, HTTP
 * status, broken body) is worth repeating.
 *
 * @param redacted takes secrets from what the node says.
 * @throws {NodeError} when the request as a whole failed.
 */
export function readAnswers(
  { status, text, retryAfterMs }: HttpAnswer,
  questions: readonly Question[],
  redacted: (text: string) => string,
): Answer[] {
  if (status === tooManyRequests || status >= 500) throw failedStatus(status, retryAfterMs)
  const body = parseJson(text)
  const answers = Array.isArray(body) ? (body as unknown[]) : [body]
  const [first] = answers
  // A refusal of the request, rather than answers to its questions.
  if (isObject(first) && isObject(first['error']) && typeof first['id'] !== 'number')
    throw readError(first['error'], '', redacted)
  if (status >= 300) throw failedStatus(status, retryAfterMs)
  const byId: (Fields | undefined)[] = []
  for (const answer of answers)
    if (isObject(answer) && typeof answer['id'] === 'number') byId[answer['id']] = answer
  return questions.map(({ method }, id) => {
    const answer = byId[id]
    if (isObject(answer?.['error']))
      return { error: readError(answer['error'], `${method}: `, redacted) }
    if (answer && 'result' in answer) return { result: answer['result'] }
    // Large answers are left out of a batch by some nodes.
    return {
      error: new NodeError(`${method}: no answer`, {
        kind: 'malformed',
        mayBeTooMuch: questions.length > 1,
      }),
    }
  })
}

function readError(error: Fields, prefix: string, redacted: (text: string) => string): NodeError {
  const code = typeof error['code'] === 'number' ? error['code'] : 0
  const message = redacted(String(error['message'] ?? 'an error')).slice(0, 500)
  const isLimit = code === -32005 || code === tooManyRequests
  const kind: NodeErrorKind = isLimit ? 'rate-limit' : 'refused'
  const retryable = nodeCodes.has(code)
  return new NodeError(prefix + message, { kind, retryable, mayBeTooMuch: true, code })
}

function failedStatus(status: number, retryAfterMs: number | undefined): NodeError {
  return new NodeError(`HTTP status ${status}`, {
    kind: status === tooManyRequests ? 'rate-limit' : 'http',
    mayBeTooMuch: status === contentTooLarge,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** Undefined where it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
