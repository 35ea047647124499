import { launchChromium } from '@headwater/chromium'
import { mapValues, type Measured } from '../../checkTargets.ts'
import { printProgress } from '../../printFigure.ts'
import { median } from '../../quantile.ts'
import type { BenchOptions } from '../Figure.ts'
import { components } from '../pages/kit/components.ts'
import { buildPages, contendersOf, type PagesFolder } from './buildPages.ts'
import { openPage, type PricePage, type Turn } from './openPage.ts'

/** Polling rounds per turn. */
const rounds = 5
/** Warm-up turns, in which code is compiled. */
const warmUp = 2
/** Maximum time of all turns of a contender, in milliseconds. Each contender has at least two turns. */
const maxDurationMs = 30_000

interface Contender {
  readonly name: string
  readonly page: PricePage
  readonly turns: Turn[]
  tookMs: number
}

/**
 * Measures a thousand components of one price with each contender of a folder. All are mounted in one browser and poll
 * in turns, so that other load on the machine affects all of them; the median of the turns counts.
 *
 * @param changes - Whether the price changes in each round.
 * @throws {Error} when a component does not show the newest price after a turn.
 */
export async function pollPrice(
  folder: PagesFolder,
  changes: boolean,
  { turns, withoutPeers }: BenchOptions,
): Promise<Readonly<Record<string, Measured>>> {
  const files = await buildPages(folder)
  const browser = await launchChromium()
  try {
    const contenders: Contender[] = []
    for (const name of contendersOf(folder)) {
      if (withoutPeers && !/^(headwater|rxjs)/.test(name)) {
        continue
      }
      const page = await openPage(browser, name, files)
      // Wait for the first price.
      for (let turn = 0; turn < warmUp; turn++) {
        await take(name, page, changes)
      }
      contenders.push({ name, page, turns: [], tookMs: 0 })
    }
    for (let turn = 0; turn < turns; turn++) {
      for (const contender of contenders) {
        if (contender.turns.length > 1 && contender.tookMs > maxDurationMs) {
          continue
        }
        const begun = performance.now()
        contender.turns.push(await take(contender.name, contender.page, changes))
        contender.tookMs += performance.now() - begun
      }
    }
    return Object.fromEntries(
      contenders.map(({ name, turns }) => [name, { ...medians(turns), turns: turns.length }]),
    )
  } finally {
    await browser.close()
  }
}

/** Runs a turn of a contender, after which each component must show the newest price. */
async function take(name: string, page: PricePage, changes: boolean): Promise<Turn> {
  const turn = await page.play(rounds, changes)
  const right = await page.countRight()
  printProgress(`${name}: ${JSON.stringify(turn)}`)
  if (right !== components) {
    throw new Error(`Only ${right} components of ${name} show the newest price`)
  }
  if (changes && turn.renders < components) {
    throw new Error(`${name} renders only ${turn.renders} of ${components} components per round`)
  }
  return turn
}

function medians(turns: readonly Turn[]): Turn {
  const [first] = turns
  if (!first) {
    throw new Error('No turn was measured')
  }
  return mapValues(first, (_, name) => median(turns.map((turn) => turn[name])))
}
