import type { Store } from '../../../../apps/service/src/store/Store.ts'
import { type BeforeCommit, ChainMover, type Commit } from './ChainMover.ts'

/** Starts to commit blocks with this many wallets, or stops. */
export interface MoveMessage {
  readonly wallets?: number
  readonly intervalMs?: number
}

/** Commits blocks when the parent process requests it, and sends their times and the amounts of wallets when it stops. */
export function moveOnMessage(store: Pick<Store, 'db'>, beforeCommit?: BeforeCommit): void {
  const mover = new ChainMover(store, beforeCommit)
  let stop = new AbortController()
  let moving: Promise<readonly Commit[]> = Promise.resolve([])
  process.on('message', ({ wallets, intervalMs }: MoveMessage) => {
    if (wallets && intervalMs) {
      stop = new AbortController()
      moving = mover.run(wallets, intervalMs, stop.signal)
    } else {
      stop.abort()
      void moving.then((commits) => process.send?.({ commits, amounts: mover.listAmounts() }))
    }
  })
}
