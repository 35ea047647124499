import { environmentManager } from '@tanstack/query-core'

/** An answer of some size, as an operation gives it. */
export interface Answer {
  readonly items: readonly { readonly address: string; readonly amount: string }[]
}

/**
 * Something to ask that answers with newly parsed JSON.
 *
 * @param changes - Whether each answer differs from the one before in all its items.
 * @param items - How many there are.
 */
export function createAnswers(changes: boolean, items: number) {
  // In plain Node the cache takes itself for a server and never polls.
  environmentManager.setIsServer(() => false)
  const textOf = (amount: number) =>
    JSON.stringify({
      items: Array.from({ length: items }, (_, index) => ({
        address: `0x${index}`,
        amount: String(amount),
      })),
    })
  const texts = [0, 1].map(textOf)
  const answers = {
    requests: 0,
    ask: (): Promise<Answer> => {
      answers.requests++
      const text = texts[changes ? answers.requests % 2 : 0]
      return Promise.resolve(JSON.parse(text ?? '') as Answer)
    },
    /** What the stream of this number wants of an answer. */
    selectFor: (index: number) => (answer: Answer) => answer.items[index % items]?.amount,
  }
  return answers
}
