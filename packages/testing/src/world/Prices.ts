import type { WorldToken } from './FakeToken.ts'
import { fraction } from './hash.ts'

/** Prices as functions of time, so that a historical price equals the price that was current at that time. */
export class Prices {
  readonly #seed: string
  /** Prices set by a test, by token, each with its start. */
  readonly #set = new Map<WorldToken, { since: number; usd: number | undefined }[]>()

  readonly #shapes = new Map<string, Shape>()

  constructor(seed: string) {
    this.#seed = seed
  }

  /** Sets the price from `since` (in seconds) on; undefined for no price. */
  set(token: WorldToken, usd: number | undefined, since: number): void {
    this.#set.set(token, [...(this.#set.get(token) ?? []), { since, usd }])
  }

  /** The price at a time, in USD; undefined without one. */
  at(token: WorldToken, seconds: number): number | undefined {
    const set = this.#set.get(token)?.findLast(({ since }) => since <= seconds)
    if (set) {
      return set.usd
    }
    const { usd, pricedSince } = token
    if (usd === undefined || (pricedSince !== undefined && seconds < pricedSince)) {
      return undefined
    }
    // The last digits of sines differ between machines.
    return Number((usd * (1 + token.swing * this.#wave(token, seconds))).toPrecision(8))
  }

  /** From -1 to 1: a slow wave of days, and a fast one, so that each block has another price. */
  #wave({ wave }: WorldToken, seconds: number): number {
    let shape = this.#shapes.get(wave)
    if (!shape) {
      this.#shapes.set(wave, (shape = this.#draw(wave)))
    }
    const { days, minutes } = shape
    return 0.8 * turn(days, seconds) + 0.2 * turn(minutes, seconds)
  }

  #draw(wave: string): Shape {
    const draw = (what: string) => fraction(`${this.#seed}/${what}/${wave}`)
    return {
      days: { period: 86_400 * (1 + 6 * draw('days')), start: draw('start of days') },
      minutes: { period: 180 + 600 * draw('minutes'), start: draw('start of minutes') },
    }
  }
}

interface Turn {
  /** In seconds. */
  readonly period: number
  /** Phase, from 0 to 1. */
  readonly start: number
}

interface Shape {
  readonly days: Turn
  readonly minutes: Turn
}

function turn({ period, start }: Turn, seconds: number): number {
  return Math.sin(2 * Math.PI * (seconds / period + start))
}
