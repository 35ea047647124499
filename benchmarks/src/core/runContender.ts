import type { Figure } from './Figure.ts'

const [figureName = '', contender = ''] = process.argv.slice(2)
const { figure } = (await import(`./figures/${figureName}.ts`)) as { figure: Figure }
const measured = await figure.contenders[contender]?.()
process.send?.(measured, () => process.exit())
