import type { OperationName } from '@headwater/contract'
import type { Fault, FaultKind, FaultOf } from './Fault.ts'

interface Entry {
  readonly fault: Fault
  left: number
  readonly healed: Promise<void>
  readonly heal: () => void
}

/** The active faults, oldest first. */
export class FaultBook {
  readonly #entries = new Set<Entry>()

  /** @returns Removes the fault. */
  add(fault: Fault): () => void {
    let resolve = () => {}
    const healed = new Promise<void>((settle) => (resolve = settle))
    const entry: Entry = {
      fault,
      left: fault.times ?? Infinity,
      healed,
      heal: () => {
        this.#entries.delete(entry)
        resolve()
      },
    }
    if (!(entry.left > 0)) {
      throw new RangeError('times must be > 0')
    }
    this.#entries.add(entry)
    return entry.heal
  }

  /** Removes all faults. */
  heal(): void {
    for (const { heal } of [...this.#entries]) {
      heal()
    }
  }

  /** Returns the oldest fault of these kinds that applies to the operation, and counts it as used. */
  take<Kind extends FaultKind>(
    operation: OperationName,
    ...kinds: readonly Kind[]
  ): { readonly fault: FaultOf<Kind>; readonly healed: Promise<void> } | undefined {
    const entry = this.#use(operation, ({ kind = 'status' }) => kinds.includes(kind as Kind))
    return entry && { fault: entry.fault as FaultOf<Kind>, healed: entry.healed }
  }

  /** Returns the oldest fault of a kind for each of these chains, and counts them as used. */
  takeChains<Kind extends 'chain' | 'depegged'>(
    operation: OperationName,
    kind: Kind,
    chainIds: readonly number[],
  ): FaultOf<Kind>[] {
    return chainIds.flatMap((chainId) => {
      const entry = this.#use(
        operation,
        (fault) => fault.kind === kind && fault.chainId === chainId,
      )
      return entry ? [entry.fault as FaultOf<Kind>] : []
    })
  }

  /** Finds the oldest entry that matches and applies to the operation, and counts it as used. */
  #use(operation: OperationName, matches: (fault: Fault) => boolean): Entry | undefined {
    const entry = [...this.#entries].find(
      ({ fault, left }) =>
        left > 0 && (fault.operation ?? operation) === operation && matches(fault),
    )
    if (entry) {
      entry.left -= 1
      // A used `hold` stays in the set, as its response waits until it is healed.
      if (entry.left === 0 && entry.fault.kind !== 'hold') {
        this.#entries.delete(entry)
      }
    }
    return entry
  }
}
