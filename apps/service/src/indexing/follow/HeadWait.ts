import { setTimeout as delay } from 'node:timers/promises'
import type { ChainConfig } from '../../config/Config.ts'
import { type AnnouncedHead, HeadSubscription } from '../../rpc/transport/HeadSubscription.ts'

/** Another node than the one that announced a block may have it some time later. */
const laggingMs = 50
const maxLaggingChecks = 20

/** Waits between two requests for the head: until a node announces another one, at most for the interval of polls. */
export class HeadWait {
  readonly #pollIntervalMs: number
  readonly #subscriptions: readonly HeadSubscription[]
  #announced: AnnouncedHead | undefined
  /** Whether the head was not requested since the announcement. */
  #isNew = false
  #laggingChecks = 0
  #wake = () => {}

  constructor({ rpcUrls, pollIntervalMs }: Pick<ChainConfig, 'rpcUrls' | 'pollIntervalMs'>) {
    this.#pollIntervalMs = pollIntervalMs
    this.#subscriptions = rpcUrls.flatMap((endpoint) =>
      typeof endpoint === 'object' && endpoint.webSocketUrl !== undefined
        ? new HeadSubscription(endpoint.webSocketUrl, (head) => this.#onHead(head))
        : [],
    )
  }

  /**
   * @param head - the latest one that was requested.
   * @throws {unknown} the signal's reason.
   */
  async next(head: AnnouncedHead | undefined, signal: AbortSignal): Promise<void> {
    const isNew = this.#isNew && this.#announced?.hash !== head?.hash
    this.#isNew = false
    if (isNew) {
      return
    }
    const isLagging = head !== undefined && head.number < (this.#announced?.number ?? -1)
    if (isLagging && this.#laggingChecks < maxLaggingChecks) {
      this.#laggingChecks++
      await delay(Math.min(laggingMs, this.#pollIntervalMs), undefined, { signal })
      return
    }
    const announced = new AbortController()
    this.#wake = () => announced.abort()
    const until = AbortSignal.any([signal, announced.signal])
    await delay(this.#pollIntervalMs, undefined, { signal: until }).catch(() => {})
    this.#wake = () => {}
    this.#isNew = false
    signal.throwIfAborted()
  }

  close(): void {
    this.#subscriptions.forEach((subscription) => subscription.close())
  }

  #onHead(head: AnnouncedHead): void {
    this.#announced = head
    this.#isNew = true
    this.#laggingChecks = 0
    this.#wake()
  }
}
