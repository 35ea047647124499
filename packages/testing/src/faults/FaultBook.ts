import type { OperationName } from '@headwater/contract'
import type { Fault, FaultKind, FaultOf } from './Fault.ts'

interface Entry {
  readonly fault: Fault
  left: number
  readonly healed: Promise<void>
  readonly heal: () => void
}

/** The faults that are to happen, in the order in which they were asked for. */
export class FaultBook {
  readonly #entries = new Set<Entry>()

  /** @returns Takes the fault back. */
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
      throw new RangeError('times must be more than 0')
    }
    this.#entries.add(entry)
    return entry.heal
  }

  /** Takes all of them back. */
  heal(): void {
    for (const { heal } of [...this.#entries]) {
      heal()
    }
  }

  /** The oldest fault of one of these kinds that meets a request of this operation. It counts as having happened. */
  take<Kind extends FaultKind>(
    operation: OperationName,
    ...kinds: readonly Kind[]
  ): { readonly fault: FaultOf<Kind>; readonly healed: Promise<void> } | undefined {
    for (const entry of this.#entries) {
      const { fault } = entry
      const isMet = fault.operation === undefined || fault.operation === operation
      if (entry.left === 0 || !isMet || !kinds.includes((fault.kind ?? 'status') as Kind)) {
        continue
      }
      // One that is used up stays, since who waits for its end still does.
      entry.left -= 1
      if (entry.left === 0 && fault.kind !== 'hold') {
        this.#entries.delete(entry)
      }
      return { fault: fault as FaultOf<Kind>, healed: entry.healed }
    }
    return undefined
  }
}

function createGate() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
