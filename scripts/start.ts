// `npm start`: starts three local chains, the service that indexes them, and the demo pages, then prints their URLs.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { Listr } from 'listr2'
import { type OperationName, operations } from '@headwater/contract'
import { createProxy } from '@headwater/proxy'
import { type BindingName, bindingNames } from './bindings.ts'
import { buildDemos } from './stack/buildDemos.ts'
import { checkPort } from './stack/checkPort.ts'
import { checkDemoKey, demoKey } from './stack/demoKey.ts'
import { formatSummary } from './stack/formatSummary.ts'
import { createCommand, longChainId, portOptions, type StackOptions } from './stack/options.ts'
import type { Process } from './stack/Process.ts'
import { runDevnet, runService, stackFiles } from './stack/programs.ts'
import { root } from './stack/root.ts'
import { proxyPath, servePage } from './stack/servePage.ts'
import { StartError } from './stack/StartError.ts'
import { waitUntilIndexed } from './stack/waitUntilIndexed.ts'

/** Stops what was started; called in reverse order. */
const stopCallbacks: (() => Promise<unknown>)[] = []
let stopping: Promise<void> | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void stop(0))
}
// The IPC channel of the parent process closed: it exited, even if by SIGKILL.
process.on('disconnect', () => void stop(1))
if (process.connected === false) {
  // It closed before the listener was added.
  process.exit(1)
}

try {
  await start(createCommand().parse().opts<StackOptions>())
} catch (error) {
  if (stopping) {
    await stopping
  }
  console.error(error instanceof StartError ? `\n${error.message}` : error)
  await stop(1)
}

async function start(options: StackOptions): Promise<void> {
  const files = stackFiles(path.resolve(root, options.data))
  mkdirSync(files.logFolder, { recursive: true })
  for (const { key, flag, use } of portOptions) {
    await checkPort(options[key], use, flag)
  }

  const devnetPorts = [options.devnetPort, options.devnetPort2]
  const devnet: Program = {
    spawn: () =>
      runDevnet(files, {
        ports: devnetPorts,
        longChain: { blocks: options.longBlocks, port: options.devnetPort3 },
        seed: options.seed,
      }),
  }
  const service: Program = { spawn: () => runService(files, options.apiPort) }
  const apiUrl = `http://127.0.0.1:${options.apiPort}`
  let key = ''
  await new Listr(
    [
      {
        title: 'Chains and pages',
        task: (_, task) =>
          task.newListr(
            [
              {
                title: 'Demo pages',
                task: () => {
                  const build = buildDemos(path.join(files.logFolder, 'build.log'))
                  stopCallbacks.push(() => build.stop())
                  return build.finished
                },
              },
              { title: 'Chains', task: (_, task) => startProgram(devnet, task) },
            ],
            { concurrent: true },
          ),
      },
      {
        title: 'Demo key',
        task: async () => {
          const created = demoKey(files)
          stopCallbacks.push(() => created)
          key = await created
        },
      },
      {
        title: 'Service',
        task: async (_, task) => {
          const ended = new AbortController()
          const ids = listChains(devnet).map(({ chainId }) => chainId)
          // The service is ready once all chains are indexed.
          await Promise.race([
            startProgram(service, task),
            waitUntilIndexed(
              apiUrl,
              ids.filter((id) => id !== longChainId),
              ended.signal,
            ),
          ]).finally(() => ended.abort())
        },
      },
    ],
    { registerSignalListeners: false },
  ).run()
  await checkDemoKey(apiUrl, key, files)

  const wallets = devnet.ready!.wallets as { name: string; address: string }[]
  const chains = listChains(devnet).map(({ chainId, name, config }) => ({
    id: chainId,
    name,
    tags: config.tags,
  }))
  const page = { apiUrl: proxyPath, wallets, chains }
  const proxy = createProxy({
    baseUrl: apiUrl,
    apiKey: key,
    operations: Object.keys(operations) as OperationName[],
    publicUrl: proxyPath,
    changes: true,
  })
  const serve = async (app: string, port: number, config: object) => {
    const server = await servePage(app, port, config, proxy)
    stopCallbacks.push(() => server.close())
    return server.url
  }
  const demos = {} as Record<BindingName, string>
  for (const name of bindingNames) {
    demos[name] = await serve(`${name}-demo`, options[`${name}Port`], page)
  }
  const landing = await serve('landing', options.landingPort, { demos })
  const urls = { ...demos, landing, api: apiUrl }
  const nodes = listChains(devnet)
  console.log(formatSummary({ urls, nodes, key, wallet: wallets[0]!.address, data: options.data }))
  const pids = { service: service.process!.pid, devnet: devnet.process!.pid }
  process.send?.({
    type: 'ready',
    urls,
    nodes: nodes.map(({ rpcUrl }) => rpcUrl),
    key,
    wallets,
    pids,
  })

  await Promise.race([service.process!.failed(), devnet.process!.failed()])
}

/** A chain in the devnet's ready message, with the fields that are used here. */
interface DevnetChain {
  readonly rpcUrl: string
  readonly chainId: number
  readonly name: string
  readonly config: { readonly tags: readonly string[] }
}

/** A program to start, with its process and its ready message once started. */
interface Program {
  readonly spawn: () => Process
  process?: Process
  ready?: Record<string, unknown>
}

/** The chains of the running devnet. */
function listChains({ ready }: Program): readonly DevnetChain[] {
  return ready!.chains as DevnetChain[]
}

async function startProgram(program: Program, task: { output: string }): Promise<void> {
  if (stopping) {
    return stopping
  }
  program.process = program.spawn()
  stopCallbacks.push(() => program.process!.stop())
  program.ready = await program.process.ready((text) => (task.output = text))
}

/** Stops everything that was started, then exits. A second call waits for the first. */
function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    if (stopCallbacks.length > 0) {
      console.log('\nStopping …')
    }
    for (const stopOne of stopCallbacks.reverse()) {
      await stopOne().catch((error: unknown) => console.error(error))
    }
    process.exit(code)
  })()
  return stopping
}
