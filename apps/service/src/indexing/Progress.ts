import type { BlockRef } from '../rpc/BlockHeader.ts'

const intervalMs = 5_000

/** Tells how far the first indexing is, now and then. */
export class Progress {
  readonly #tell: (text: string) => void
  #start: { readonly block: number; readonly time: number } | undefined
  #toldAt = -Infinity

  constructor(tell: (text: string) => void) {
    this.#tell = tell
  }

  /** Call after each batch. */
  reached({ number }: BlockRef, head: number): void {
    const now = performance.now()
    this.#start ??= { block: number, time: now }
    if (now - this.#toldAt < intervalMs) return
    this.#toldAt = now
    const seconds = (now - this.#start.time) / 1000
    const rate = seconds > 0 ? (number - this.#start.block) / seconds : 0
    const percent = head > 0 ? Math.floor((100 * number) / head) : 100
    const left = rate > 0 ? `, ${Math.ceil((head - number) / rate)} s left` : ''
    this.#tell(`block ${number} of ${head} (${percent}%), ${Math.round(rate)} blocks/s${left}`)
  }
}
