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
    const { promise, resolve } = createGate()
    const entry: Entry = {
      fault,
      left: fault.times ?? Infinity,
      healed: promise,
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
    for (const entry of this.#entries) {
      const { fault } = entry
      if (!isApplicable(entry, operation) || !kinds.includes((fault.kind ?? 'status') as Kind)) {
        continue
      }
      // A used `hold` stays in the set, as its response waits until it is healed.
      entry.left -= 1
      if (entry.left === 0 && fault.kind !== 'hold') {
        this.#entries.delete(entry)
      }
      return { fault: fault as FaultOf<Kind>, healed: entry.healed }
    }
    return undefined
  }

  /** Returns the oldest fault of a kind for each of these chains, and counts them as used. */
  takeChains<Kind extends 'chain' | 'depegged'>(
    operation: OperationName,
    kind: Kind,
    chainIds: readonly number[],
  ): FaultOf<Kind>[] {
    return chainIds.flatMap((chainId) => {
      const entry = [...this.#entries].find(({ fault, ...each }) => {
        return (
          fault.kind === kind &&
          fault.chainId === chainId &&
          isApplicable({ fault, ...each }, operation)
        )
      })
      if (!entry) {
        return []
      }
      entry.left -= 1
      if (entry.left === 0) {
        this.#entries.delete(entry)
      }
      return [entry.fault as FaultOf<Kind>]
    })
  }
}

function isApplicable({ fault, left }: Entry, operation: OperationName): boolean {
  return left > 0 && (fault.operation === undefined || fault.operation === operation)
}

function createGate() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
