/** What a tab watches. */
export interface TabInterest {
  readonly operation: string
  readonly parameters: object
  /** Milliseconds between an answer and the next poll. */
  readonly interval: number
}

/** What a tab learned from the service. */
export interface TabAnswer {
  readonly operation: string
  readonly parameters: object
  readonly data: object
  /** When it learned it, by the clock of the machine in milliseconds. */
  readonly updatedAt: number
}

/** What tabs tell each other: data, and never a key. `from` is the tab that speaks. */
export type TabMessage = { readonly from: string } & (
  | /** It came and asks the leader for all that it knows. */ { readonly type: 'hello' }
  | /** It leads from now on, and asks all what they watch. */ { readonly type: 'lead' }
  | /** All that it watches. */ {
      readonly type: 'watch'
      readonly interests: readonly TabInterest[]
    }
  | /** What it learned; for one tab or for all. */ {
      readonly type: 'answers'
      readonly answers: readonly TabAnswer[]
      readonly to?: string
    }
)

/** Reads what came over the channel, where another version of the app may speak; `undefined` for what is no message. */
export function readTabMessage(value: unknown): TabMessage | undefined {
  if (!isRecord(value) || typeof value.from !== 'string') return undefined
  const { from, type, to, interests, answers } = value
  if (type === 'hello' || type === 'lead') return { from, type }
  if (type === 'watch' && Array.isArray(interests)) {
    return { from, type, interests: interests.filter(isInterest) }
  }
  if (type === 'answers' && Array.isArray(answers)) {
    return {
      from,
      type,
      answers: answers.filter(isAnswer),
      ...(typeof to === 'string' && { to }),
    }
  }
  return undefined
}

function isInterest(value: unknown): value is TabInterest {
  return isQuestion(value) && isTime(value.interval) && value.interval > 0
}

function isAnswer(value: unknown): value is TabAnswer {
  return isQuestion(value) && isRecord(value.data) && isTime(value.updatedAt)
}

function isQuestion(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && typeof value.operation === 'string' && isRecord(value.parameters)
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
