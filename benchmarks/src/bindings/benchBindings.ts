import { readdirSync } from 'node:fs'
import { judge } from '../judge.ts'
import { printFigure, say } from '../printFigure.ts'
import type { BenchOptions, Figure } from './Figure.ts'

/** Names of all figures. */
export const bindingFigureNames = readdirSync(new URL('figures', import.meta.url))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))

/** Measures the bindings beside their peers: a line a figure. */
export async function benchBindings({
  only,
  ...options
}: BenchOptions & { readonly only?: string }): Promise<void> {
  for (const name of bindingFigureNames) {
    if (only !== undefined && only !== name) {
      continue
    }
    const { figure } = (await import(`./figures/${name}.ts`)) as { figure: Figure }
    say(`${figure.title} …`)
    printFigure(name, judge(await figure.measure(options), figure.reach))
  }
}
