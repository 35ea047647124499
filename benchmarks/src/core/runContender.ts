import { printProgress } from '../printFigure.ts'
import type { Figure } from './Figure.ts'

// To profile a contender: node --conditions=@headwater/source --cpu-prof src/core/runContender.ts <figure> <contender>
const [figureName = '', contender = ''] = process.argv.slice(2)
const { figure } = (await import(`./figures/${figureName}.ts`)) as { figure: Figure }
const measured = await figure.contenders[contender]?.()
if (process.send) {
  process.send(measured, () => process.exit())
} else {
  printProgress(JSON.stringify(measured))
  process.exit()
}
