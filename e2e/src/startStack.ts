// Starts a stack for the development of the suite, where starting it takes most of a short run. See the README.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { chooseLocation, Stack } from './Stack.ts'

const file = process.argv[2]
if (!file) {
  console.error('Usage: node e2e/src/startStack.ts <file for the information of the stack>')
  process.exit(2)
}
const infoFile = path.resolve(file)
const data = `${infoFile}.data`
await mkdir(data, { recursive: true })
const stack = new Stack(await chooseLocation(data))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void stack.interrupt())
}
await writeFile(infoFile, JSON.stringify(await stack.ready(), null, 2))
console.log(stack.output)
console.log(`E2E_STACK=${infoFile}`)
process.exitCode = (await stack.exited()) ?? 1
await rm(infoFile, { force: true })
