import type { Client } from '../client/Client.ts'
import { findInvalidParameter } from '../operation/findInvalidParameter.ts'
import { findOperation } from './operations.ts'
import type { TabInterest } from './TabMessage.ts'
import { TabQuestion } from './TabQuestion.ts'

/** What the other tabs watch, polled while this one leads. */
export class TabQuestions {
  readonly #client: Client
  readonly #tabs = new Map<string, Map<string, TabQuestion>>()

  constructor(client: Client) {
    this.#client = client
  }

  has(tab: string): boolean {
    return this.#tabs.has(tab)
  }

  /** Polls what a tab watches, and nothing that it watched before. */
  set(tab: string, interests: readonly TabInterest[]): void {
    const { poller } = this.#client.streams
    const before = this.#tabs.get(tab)
    const now = new Map<string, TabQuestion>()
    for (const interest of interests) {
      const operation = findOperation(interest.operation)
      if (operation === undefined || findInvalidParameter(operation, interest.parameters)) continue
      const key = JSON.stringify(interest)
      // What is still watched keeps its place in the poller, and what that remembers of failures.
      now.set(key, before?.get(key) ?? new TabQuestion(this.#client, operation, interest))
    }
    this.#tabs.set(tab, now)
    for (const [key, question] of before ?? []) if (!now.has(key)) poller.remove(question)
    for (const [key, question] of now) if (!before?.has(key)) poller.add(question)
  }

  /** To be called when another tab brought answers: a question that was given up may be worth asking again. */
  update(): void {
    const { poller } = this.#client.streams
    for (const questions of this.#tabs.values()) {
      for (const question of questions.values()) poller.update(question)
    }
  }

  /** The tab is gone. */
  delete(tab: string): void {
    this.set(tab, [])
    this.#tabs.delete(tab)
  }

  clear(): void {
    for (const tab of [...this.#tabs.keys()]) this.delete(tab)
  }
}
