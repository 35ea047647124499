import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { checkTargets, mapValues, type Measured } from '../checkTargets.ts'
import { printFigure, printProgress } from '../printFigure.ts'
import type { Figure } from './Figure.ts'

interface BenchCoreOptions {
  /** Name of the only figure to run. */
  readonly only?: string
  /** Number of runs per contender. */
  readonly repeat: number
  readonly withoutPeers: boolean
}

/** Names of the figures. */
export const figureNames = readdirSync(new URL('figures', import.meta.url))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))

/** Compares the core with other libraries: one line per figure. */
export async function benchCore({ only, repeat, withoutPeers }: BenchCoreOptions): Promise<void> {
  for (const name of figureNames) {
    if (only !== undefined && only !== name) {
      continue
    }
    const { figure } = (await import(`./figures/${name}.ts`)) as { figure: Figure }
    printProgress(`${figure.title} …`)
    const contenders = Object.keys(figure.contenders).filter(
      (contender) => !withoutPeers || contender.startsWith('headwater'),
    )
    const results: Record<string, Measured> = {}
    // In turns, so that other load on the machine affects all contenders.
    for (let round = 0; round < repeat; round++) {
      for (const contender of contenders) {
        results[contender] = least(results[contender], await run(name, contender))
      }
    }
    printFigure(name, checkTargets(results, figure.reach))
  }
}

/** Runs one contender in its own process, so that earlier runs do not affect it. */
async function run(figure: string, contender: string): Promise<Measured> {
  const child = fork(new URL('runContender.ts', import.meta.url), [figure, contender], {
    env: { ...process.env, NODE_ENV: 'production' },
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  const [measured] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`${figure}: ${contender} measured nothing`)
    }),
  ])) as [Measured]
  return measured
}

function least(before: Measured | undefined, measured: Measured): Measured {
  return before === undefined
    ? measured
    : mapValues(measured, (value, name) => Math.min(value, before[name] ?? Infinity))
}
