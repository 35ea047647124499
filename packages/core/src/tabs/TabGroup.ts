import { focusManager } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import type { TabChannel, TabHost, TabLocks } from '../environment.ts'
import { readQueryKey } from '../operation/queryKey.ts'
import type { Deputy, Pollable } from '../streams/Pollable.ts'
import { SharedAnswers } from './SharedAnswers.ts'
import { readTabMessage, type TabAnswer, type TabInterest, type TabMessage } from './TabMessage.ts'
import { TabQuestions } from './TabQuestions.ts'

/** For how many milliseconds a tab that comes waits for the leader to tell what it knows. */
const welcomeWithin = 150
/** For at most how many milliseconds a tab waits for the leader to bring what is due, within these bounds. */
const leastGrace = 4000
const mostGrace = 60_000
/** The same for what the leader may not know of. */
const shortGrace = 1000
/** For so many intervals a tab trusts that the others bring again what they brought. */
const rounds = 3

/**
 * A tab among those that share answers. Of the tabs that are seen one holds the lock and leads: it polls what all of
 * them watch. A hidden tab never leads, as it rests: it lets go of the lock, and the next in line has it at once. So it is
 * when a tab is closed or crashes, as the host then frees its locks.
 */
export class TabGroup implements Deputy {
  readonly #client: Client
  readonly #locks: TabLocks
  readonly #name: string
  readonly #id = Math.random().toString(36).slice(2)
  readonly #channel: TabChannel
  readonly #answers: SharedAnswers
  readonly #questions: TabQuestions
  /** How much of that it waits; so that the tabs do not all ask at once when the leader is silent. */
  readonly #patience = 0.5 + Math.random() / 2
  /** Ends what this tab does while it is seen. */
  #visit: AbortController | undefined
  /** When that began, by the local clock: what came due before is not the leader's fault. */
  #enteredAt = 0
  #leads = false
  /** When it was last seen that others brought what is no question that the leader was told of. */
  readonly #brought = new WeakMap<Pollable, number>()
  /** Whether the leader can see by a lock that this tab is there. */
  #isPresent = false
  /** What this tab watches and polls, and the same as text. */
  #watched: readonly { readonly queryKey: readonly unknown[]; readonly interval: number }[] = []
  #watchedText = '[]'
  #timer: ReturnType<typeof setTimeout> | undefined
  #settle: () => void = () => undefined
  readonly #unsubscribe: () => void
  ready: Promise<void> | undefined

  /** @param name - That of the lock and of the channel: what only tabs have in common that may share. */
  constructor(client: Client, { locks, createChannel }: TabHost, name: string) {
    this.#client = client
    this.#locks = locks
    this.#name = name
    this.#channel = createChannel(name)
    this.#channel.onmessage = ({ data }) => this.#hear(readTabMessage(data))
    this.#answers = new SharedAnswers(client, (answers) => this.#tell(answers))
    this.#questions = new TabQuestions(client)
    this.#unsubscribe = focusManager.subscribe(() => this.#look())
    this.ready = new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(), welcomeWithin)
      this.#settle = () => {
        clearTimeout(timer)
        this.ready = undefined
        resolve()
      }
    })
    client.streams.poller.deputy = this
    this.changed()
    this.#look()
    // Also when it is opened in the background, where nothing is polled but much is asked once.
    if (this.#visit === undefined) this.#post({ type: 'hello' })
  }

  /**
   * What the leader knows to be watched here, or brought lately, is asked later by half the interval or more: by then the
   * leader has asked and been answered, unless it is stuck. What else is polled here (prices, which each tab plans for
   * itself) is asked a little later than the leader asks it, if it does.
   */
  postpone(entry: Pollable, dueAt: number): number {
    if (this.#leads || this.#visit === undefined) return dueAt
    const now = Date.now()
    if (this.#answers.cameFromOthers(entry.state?.dataUpdatedAt ?? 0)) this.#brought.set(entry, now)
    const broughtAt = this.#brought.get(entry) ?? -Infinity
    const isTheirs = 'queryKey' in entry || now - broughtAt < rounds * entry.interval
    const most = isTheirs ? Math.min(Math.max(entry.interval, leastGrace), mostGrace) : shortGrace
    return Math.max(dueAt, this.#enteredAt) + most * this.#patience
  }

  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const watched = this.#client.streams
        .watched()
        .filter(({ interval }) => interval < Infinity)
        .map(({ queryKey, interval }) => ({ queryKey, interval }))
      const text = JSON.stringify(watched)
      if (text === this.#watchedText) return
      this.#watchedText = text
      this.#watched = watched
      this.#questions.setOwn(watched)
      this.#tellInterests()
    })
  }

  /** Lets go of everything at once. From then on this tab polls by itself, once its poller is told to reconsider. */
  stop(): void {
    const { poller } = this.#client.streams
    if (poller.deputy === this) poller.deputy = undefined
    this.#unsubscribe()
    this.#leave()
    this.#answers.stop()
    clearTimeout(this.#timer)
    this.#channel.close()
    this.#settle()
  }

  /** Takes part while the page is seen. */
  #look(): void {
    if (!focusManager.isFocused()) this.#leave()
    else if (this.#visit === undefined) this.#enter()
  }

  #enter(): void {
    const visit = (this.#visit = new AbortController())
    this.#enteredAt = Date.now()
    this.#hold(`${this.#name}/${this.#id}`, visit.signal, () => {
      this.#isPresent = true
      this.#tellInterests()
    })
    this.#hold(this.#name, visit.signal, () => this.#lead())
    this.#post({ type: 'hello' })
  }

  #leave(): void {
    this.#visit?.abort()
    this.#visit = undefined
    this.#leads = this.#isPresent = false
    this.#questions.clear()
  }

  /** Holds a lock, once it is free, for as long as the page is seen. */
  #hold(name: string, signal: AbortSignal, onGranted: () => void): void {
    this.#locks
      .request(name, { signal }, () => {
        if (signal.aborted) return undefined
        onGranted()
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      })
      .catch(() => {
        // Aborted, or a page that may have no locks, as in a sandbox: that one is on its own.
        if (signal.aborted) return
        this.stop()
        this.#client.streams.poller.reconsider()
      })
  }

  #lead(): void {
    this.#leads = true
    this.#settle()
    this.#post({ type: 'lead' })
    this.#client.streams.poller.reconsider()
  }

  #hear(message: TabMessage | undefined): void {
    if (message === undefined) return
    switch (message.type) {
      case 'hello':
        if (this.#leads) this.#tell(this.#answers.all(), message.from)
        break
      case 'lead':
        this.#tellInterests()
        break
      case 'watch':
        if (this.#leads) this.#poll(message.from, message.interests)
        break
      case 'answers':
        if (message.to !== undefined && message.to !== this.#id) return
        if (message.answers.filter((answer) => this.#answers.take(answer)).length > 0) {
          this.#questions.update()
        }
        if (message.to !== undefined) this.#settle()
    }
  }

  /** Polls for another tab until that is hidden or gone, which its lock tells. */
  #poll(tab: string, interests: readonly TabInterest[]): void {
    const isNew = !this.#questions.has(tab)
    this.#questions.set(tab, interests)
    if (!isNew || this.#visit === undefined) return
    const { signal } = this.#visit
    this.#locks
      .request(`${this.#name}/${tab}`, { signal }, () => this.#questions.delete(tab))
      .catch(() => undefined)
  }

  #tell(answers: TabAnswer[], to?: string): void {
    this.#post({ type: 'answers', answers, ...(to !== undefined && { to }) })
  }

  #tellInterests(): void {
    if (!this.#isPresent || this.#leads) return
    const interests = this.#watched.flatMap(({ queryKey, interval }) => {
      const asked = readQueryKey(this.#client.baseUrl, queryKey)
      return asked ? [{ ...asked, interval }] : []
    })
    this.#post({ type: 'watch', interests })
  }

  #post(message: DistributiveOmit<TabMessage, 'from'>): void {
    try {
      this.#channel.postMessage({ ...message, from: this.#id })
    } catch {
      // What the app itself put into the cache need not be data that can be sent: the others ask for themselves.
    }
  }
}

type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never
