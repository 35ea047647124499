import { readdirSync } from 'node:fs'
import { checkTargets } from '../checkTargets.ts'
import { printFigure, printProgress } from '../printFigure.ts'
import type { BenchOptions, Figure } from './Figure.ts'

/** Names of the figures. */
export const bindingFigureNames = readdirSync(new URL('figures', import.meta.url))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))

/** Compares the bindings with other libraries: one line per figure. */
export async function benchBindings({
  only,
  ...options
}: BenchOptions & { readonly only?: string }): Promise<void> {
  for (const name of bindingFigureNames) {
    if (only !== undefined && only !== name) {
      continue
    }
    const { figure } = (await import(`./figures/${name}.ts`)) as { figure: Figure }
    printProgress(`${figure.title} …`)
    printFigure(name, checkTargets(await figure.measure(options), figure.reach))
  }
}
