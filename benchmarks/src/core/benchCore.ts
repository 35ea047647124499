import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { judge, mapValues, type Measured } from '../judge.ts'
import { printFigure, say } from '../printFigure.ts'
import type { Figure } from './Figure.ts'

interface BenchCoreOptions {
  /** One figure. */
  readonly only?: string
  /** How often each contender runs. */
  readonly repeat: number
  readonly withoutPeers: boolean
}

/** Names of all figures. */
export const figureNames = readdirSync(new URL('figures', import.meta.url))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))

/** Measures the core beside its peers: a line a figure. */
export async function benchCore({ only, repeat, withoutPeers }: BenchCoreOptions): Promise<void> {
  for (const name of figureNames) {
    if (only !== undefined && only !== name) {
      continue
    }
    const { figure } = (await import(`./figures/${name}.ts`)) as { figure: Figure }
    say(`${figure.title} …`)
    const contenders = Object.keys(figure.contenders).filter(
      (contender) => !withoutPeers || contender.startsWith('headwater'),
    )
    const results: Record<string, Measured> = {}
    // In turns, so that what else happens on the machine meets all of them.
    for (let round = 0; round < repeat; round++) {
      for (const contender of contenders) {
        results[contender] = least(results[contender], await run(name, contender))
      }
    }
    printFigure(name, judge(results, figure.reach))
  }
}

/** Runs one contender in a process of its own, so that nobody profits or suffers from what ran before. */
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
