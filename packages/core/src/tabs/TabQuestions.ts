import { hashKey } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { findInvalidParameter } from '../operation/findInvalidParameter.ts'
import { findOperation } from './operations.ts'
import type { TabInterest } from './TabMessage.ts'
import { TabQuestion } from './TabQuestion.ts'

/** What the other tabs watch, polled while this one leads. */
export class TabQuestions {
  readonly #client: Client
  /** By interest, as several tabs may have the same one. */
  readonly #questions = new Map<string, TabQuestion>()
  /** The interests of each tab. */
  readonly #tabs = new Map<string, ReadonlySet<string>>()
  /** What this tab polls for itself, and how often. */
  #own: ReadonlyMap<string, number> = new Map()

  constructor(client: Client) {
    this.#client = client
  }

  has(tab: string): boolean {
    return this.#tabs.has(tab)
  }

  /** Polls what a tab watches, and nothing that it alone watched before. */
  set(tab: string, interests: readonly TabInterest[]): void {
    const keys = new Set<string>()
    this.#tabs.set(tab, keys)
    for (const interest of interests) {
      const operation = findOperation(interest.operation)
      if (operation === undefined || findInvalidParameter(operation, interest.parameters)) continue
      const key = JSON.stringify(interest)
      keys.add(key)
      if (this.#questions.has(key)) continue
      const question = new TabQuestion(this.#client, operation, interest, this.#isPolled)
      this.#questions.set(key, question)
      this.#client.streams.poller.add(question)
    }
    this.#sweep()
  }

  /** Leaves to the streams of this tab what they poll themselves, at least as often. */
  setOwn(
    own: readonly { readonly queryKey: readonly unknown[]; readonly interval: number }[],
  ): void {
    this.#own = new Map(own.map(({ queryKey, interval }) => [hashKey(queryKey), interval]))
    this.update()
  }

  /** To be called when another tab brought answers: a question that was given up may be worth asking again. */
  update(): void {
    for (const question of this.#questions.values()) {
      this.#client.streams.poller.update(question)
    }
  }

  /** The tab is gone. */
  delete(tab: string): void {
    this.#tabs.delete(tab)
    this.#sweep()
  }

  clear(): void {
    this.#tabs.clear()
    this.#sweep()
  }

  readonly #isPolled = (hash: string, interval: number): boolean =>
    (this.#own.get(hash) ?? Infinity) <= interval

  /** Polls no longer what no tab watches any more. */
  #sweep(): void {
    for (const [key, question] of this.#questions) {
      if ([...this.#tabs.values()].some((keys) => keys.has(key))) continue
      this.#questions.delete(key)
      this.#client.streams.poller.remove(question)
    }
  }
}
