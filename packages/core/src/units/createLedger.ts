import type { OperationName } from '../operation/OperationName.ts'
import { OperationStream } from '../streams/OperationStream.ts'
import type { Budget } from './Budget.ts'
import { createCharge, type Charge } from './createCharge.ts'
import { createGate } from './createGate.ts'
import type { Ledger } from './Ledger.ts'
import type { Usage } from './Usage.ts'

const minute = 60_000
/** For how many minutes it is told what each one spent. */
const minutesKept = 60

/**
 * Makes the ledger of a client.
 *
 * @throws InvalidParameterError when a number of the budget is not 0 or more.
 */
export function createLedger(budget?: Budget): Ledger {
  let usage: Usage = { spent: 0, byOperation: {}, byMinute: [], remaining: undefined }
  /** How many chains a set has that only the service knows, as it charged last. */
  const counts = new Map<string, number>()
  let tell = () => {}
  let isOver = false
  const gate = createGate(() => usage.spent)
  gate.setBudget(budget)

  const getUsage = () => usage
  const usage$ = new OperationStream<Usage, Usage>({
    read: getUsage,
    start: (update) => (tell = update),
    stop: () => (tell = () => {}),
    isOver: () => isOver,
  })

  const costOf: Ledger['costOf'] = ({ cost }, parameters) =>
    cost(parameters, (chainIds) => counts.get(String(chainIds)) ?? chainIds?.length ?? 1)

  function count(operation: OperationName, units: number, remaining = usage.remaining): void {
    if (units === 0 && remaining === usage.remaining) return
    const { spent, byOperation, byMinute } = usage
    usage = {
      spent: spent + units,
      byOperation: { ...byOperation, [operation]: (byOperation[operation] ?? 0) + units },
      byMinute: addToMinute(byMinute, units),
      remaining,
    }
    tell()
  }

  return {
    ...gate,
    costOf,
    getUsage,
    usage$,
    admit(declaration, parameters, { background, signal }) {
      const estimate = costOf(declaration, parameters)
      const open = (): Charge =>
        createCharge(estimate, (units, remaining, isExact) => {
          if (isExact && units !== estimate) {
            declaration.cost(parameters, (chainIds) => {
              counts.set(String(chainIds), units)
              return units
            })
          }
          count(declaration.name, units, remaining)
          gate.settle(estimate, units)
        })
      if (signal?.aborted) throw signal.reason as Error
      if (background) return gate.wait(estimate, signal).then(open)
      gate.enter(estimate)
      return open()
    },
    destroy() {
      isOver = true
      gate.destroy()
      usage$.complete()
    },
  }
}

function addToMinute(minutes: Usage['byMinute'], spent: number): Usage['byMinute'] {
  const startedAt = Math.floor(Date.now() / minute) * minute
  const newest = minutes.at(-1)
  return newest?.startedAt === startedAt
    ? [...minutes.slice(0, -1), { startedAt, spent: newest.spent + spent }]
    : [...minutes, { startedAt, spent }].slice(-minutesKept)
}
