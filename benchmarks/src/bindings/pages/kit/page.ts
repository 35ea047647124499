import { respond, service } from './priceService.ts'

/** Maximum time of a turn, in milliseconds. */
const maxDurationMs = 2000

/** The result of a turn. */
export interface Played {
  readonly rounds: number
  readonly requests: number
  /** Number of times that a component rendered the price. */
  readonly renders: number
}

let renders = 0

/** Formats the price for a component, and counts the calls. */
export function show(price: number | undefined): string {
  renders++
  return String(price)
}

/**
 * Runs up to a number of polling rounds.
 *
 * @param changes - Whether the price changes in each round.
 */
async function play(most: number, changes: boolean): Promise<Played> {
  const begun = performance.now()
  const requests = service.requests
  renders = 0
  let rounds = 0
  do {
    if (changes) {
      service.price++
    }
    await respond()
    rounds++
  } while (rounds < most && performance.now() - begun < maxDurationMs)
  await new Promise((resolve) => requestIdleCallback(resolve))
  return { rounds, requests: service.requests - requests, renders }
}

/** Number of components that show the newest price. */
function countRight(): number {
  const right = String(service.price)
  const shown = [...document.querySelectorAll('p')]
  return shown.filter(({ textContent }) => textContent === right).length
}

/** The interface that the benchmark calls in the page. */
const page = { play, countRight }
export type BenchPage = typeof page

/** The element that the components are mounted in. */
export const root = document.createElement('main')
document.body.append(root)
Object.assign(globalThis, { benchPage: page })
