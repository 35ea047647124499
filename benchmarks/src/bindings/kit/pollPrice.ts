import { launchChromium } from '@headwater/chromium'
import { mapValues, type Measured } from '../../judge.ts'
import { say } from '../../printFigure.ts'
import type { BenchOptions } from '../Figure.ts'
import { components } from '../pages/kit/components.ts'
import type { BindingName } from '../../../../scripts/bindings.ts'
import { buildPages, contendersOf } from './buildPages.ts'
import { openPage, type PricePage, type Turn } from './openPage.ts'

/** Rounds of polling in a turn. */
const rounds = 5
/** Turns that do not count, as code is compiled meanwhile. */
const warmUp = 2
/** How long the turns of a contender may take in all, in milliseconds; then it has no more, but two at least. */
const patience = 30_000

interface Contender {
  readonly name: string
  readonly page: PricePage
  readonly turns: Turn[]
  tookMs: number
}

/**
 * A thousand components of one price, by each contender of a framework. All are mounted in one browser and poll in turns,
 * so that what else happens on the machine meets all of them; the median of the turns counts.
 *
 * @param changes - Whether each round brings another price.
 * @throws {Error} when anybody does not show the newest price after a turn.
 */
export async function pollPrice(
  framework: BindingName,
  changes: boolean,
  { turns, withoutPeers }: BenchOptions,
): Promise<Readonly<Record<string, Measured>>> {
  const files = await buildPages(framework)
  const browser = await launchChromium()
  try {
    const contenders: Contender[] = []
    for (const name of contendersOf(framework)) {
      if (withoutPeers && !/^(headwater|rxjs)/.test(name)) {
        continue
      }
      const page = await openPage(browser, name, files)
      // Shows its first price.
      for (let turn = 0; turn < warmUp; turn++) {
        await take(name, page, changes)
      }
      contenders.push({ name, page, turns: [], tookMs: 0 })
    }
    for (let turn = 0; turn < turns; turn++) {
      for (const contender of contenders) {
        if (contender.turns.length > 1 && contender.tookMs > patience) {
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

/** Gives a contender its turn, after which each component has to show the newest price. */
async function take(name: string, page: PricePage, changes: boolean): Promise<Turn> {
  const turn = await page.play(rounds, changes)
  const right = await page.countRight()
  say(`${name}: ${JSON.stringify(turn)}`)
  if (right !== components) {
    throw new Error(`${name} shows the newest price ${right} times`)
  }
  if (changes && turn.renders < components) {
    throw new Error(`${name} shows only ${turn.renders} of ${components} prices a round`)
  }
  return turn
}

function medians(turns: readonly Turn[]): Turn {
  const [first] = turns
  if (!first) {
    throw new Error('There was no turn')
  }
  return mapValues(first, (_, name) => median(turns.map((turn) => turn[name])))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle) - 1] ?? NaN)) / 2
}
