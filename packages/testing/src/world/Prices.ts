import { fraction } from './hash.ts'
import type { WorldToken } from './FakeToken.ts'

/** Prices as functions of time, so that what was told as the price now is what is told of that moment later. */
export class Prices {
  readonly #seed: string
  /** Prices that a test has set, by token, each with since when. */
  readonly #set = new Map<WorldToken, { since: number; usd: number | undefined }[]>()

  constructor(seed: string) {
    this.#seed = seed
  }

  /** From `since` (in seconds) on; undefined for none. It stays until the next one is set. */
  set(token: WorldToken, usd: number | undefined, since: number): void {
    this.#set.set(token, [...(this.#set.get(token) ?? []), { since, usd }])
  }

  /** The price in force at a moment, in USD; undefined where there is none. */
  at(token: WorldToken, seconds: number): number | undefined {
    const set = this.#set.get(token)?.findLast(({ since }) => since <= seconds)
    if (set) return set.usd
    const { usd, pricedSince } = token
    if (usd === undefined || (pricedSince !== undefined && seconds < pricedSince)) return undefined
    // Sines of different machines differ in their last digits.
    return Number((usd * (1 + token.swing * this.#wave(token, seconds))).toPrecision(8))
  }

  /** From -1 to 1: slow over days, and quick enough that each block has another price. */
  #wave({ wave }: WorldToken, seconds: number): number {
    const draw = (what: string) => fraction(`${this.#seed}/${what}/${wave}`)
    const turn = (period: number, start: number) =>
      Math.sin(2 * Math.PI * (seconds / period + start))
    const days = turn(86_400 * (1 + 6 * draw('days')), draw('start of days'))
    const minutes = turn(180 + 600 * draw('minutes'), draw('start of minutes'))
    return 0.8 * days + 0.2 * minutes
  }
}
