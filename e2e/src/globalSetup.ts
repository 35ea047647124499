import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { screenshotFolder } from './screenshots.ts'
import { Stack, type StackInfo, chooseLocation } from './Stack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whoever asks there first has the stack started. */
    stackUrl: string
  }
}

/**
 * One stack for all files, from nothing, as a newcomer has it. It is started when the first file asks for it: setups run
 * before the tests of all packages, and a chain that lives would keep the machine busy meanwhile.
 */
export default async function setup(project: TestProject) {
  // Those of an earlier run would mislead.
  await rm(path.join(screenshotFolder, 'failed'), { recursive: true, force: true })
  let started: Promise<Started> | undefined
  const server = createServer((_, response) => {
    started ??= process.env.E2E_STACK ? readRunning(process.env.E2E_STACK) : start()
    started.then(
      ({ info }) => response.end(JSON.stringify(info)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  project.provide('stackUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    const ran = await started?.catch(() => undefined)
    await ran?.end()
  }
}

/** A stack, and how it ends. */
interface Started {
  readonly info: StackInfo
  end(): Promise<void>
}

async function start(): Promise<Started> {
  const data = await mkdtemp(path.join(tmpdir(), 'headwater-e2e-'))
  const stack = new Stack(await chooseLocation(data))
  const end = async () => {
    await stack.interrupt()
    await rm(data, { recursive: true })
  }
  return { info: await stack.ready(), end }
}

/** One that runs already and goes on (`keepStack.ts`), for development. */
async function readRunning(file: string): Promise<Started> {
  return { info: JSON.parse(await readFile(file, 'utf8')) as StackInfo, end: async () => {} }
}
