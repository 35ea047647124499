import { answer, answers } from './priceAnswers.ts'

/** How long rounds go on, in milliseconds, where each takes long. */
const patience = 2000

/** What went by in a page. */
export interface Played {
  readonly rounds: number
  readonly requests: number
  /** How often a component looked at the price, to show it. */
  readonly renders: number
}

let renders = 0

/** What a component puts on the page for a price. Counts how often it does. */
export function show(price: number | undefined): string {
  renders++
  return String(price)
}

/**
 * Lets rounds of polling go by, up to a number of them.
 *
 * @param changes - Whether each brings another price.
 */
async function play(most: number, changes: boolean): Promise<Played> {
  const begun = performance.now()
  const requests = answers.requests
  renders = 0
  let rounds = 0
  do {
    if (changes) {
      answers.price++
    }
    await answer()
    rounds++
  } while (rounds < most && performance.now() - begun < patience)
  await new Promise((resolve) => requestIdleCallback(resolve))
  return { rounds, requests: answers.requests - requests, renders }
}

/** How many components show the newest price. */
function countRight(): number {
  const right = String(answers.price)
  const shown = [...document.querySelectorAll('p')]
  return shown.filter(({ textContent }) => textContent === right).length
}

/** What the bench calls in the page. */
const page = { play, countRight }
export type BenchPage = typeof page

/** The element to mount at. */
export const root = document.createElement('main')
document.body.append(root)
Object.assign(globalThis, { benchPage: page })
