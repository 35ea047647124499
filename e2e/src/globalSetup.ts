import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { screenshotFolder } from './screenshots.ts'
import { chooseLocation, Stack, type StackInfo } from './Stack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a server that starts the stack on the first request and responds with its information. */
    stackUrl: string
  }
}

/**
 * Provides one stack for all files, with an empty data folder. Starts it on the first request, because global setups run
 * before the tests of all packages, and a running chain would slow those down.
 */
export default async function setup(project: TestProject) {
  // Remove the screenshots of earlier failures.
  await rm(path.join(screenshotFolder, 'failed'), { recursive: true, force: true })
  let started: Promise<RunningStack> | undefined
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
    const running = await started?.catch(() => undefined)
    await running?.stop()
  }
}

/** A running stack. */
interface RunningStack {
  readonly info: StackInfo
  stop(): Promise<void>
}

async function start(): Promise<RunningStack> {
  const data = await mkdtemp(path.join(tmpdir(), 'headwater-e2e-'))
  const stack = new Stack(await chooseLocation(data))
  const stop = async () => {
    await stack.interrupt()
    await rm(data, { recursive: true })
  }
  return { info: await stack.ready(), stop }
}

/** Uses a stack that `startStack.ts` started, for development. */
async function readRunning(file: string): Promise<RunningStack> {
  return { info: JSON.parse(await readFile(file, 'utf8')) as StackInfo, stop: async () => {} }
}
