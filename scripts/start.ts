// `npm start`: two local chains, the service that indexes them, and the three demo pages; then a table of where they are.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { Listr } from 'listr2'
import { buildDemos } from './stack/buildDemos.ts'
import { checkPort } from './stack/checkPort.ts'
import { checkDemoKey, demoKey } from './stack/demoKey.ts'
import { readOptions, type StackOptions } from './stack/options.ts'
import type { Process } from './stack/Process.ts'
import { runDevnet, runService, stackFiles } from './stack/programs.ts'
import { root } from './stack/root.ts'
import { servePage } from './stack/servePage.ts'
import { StartError } from './stack/StartError.ts'
import { table } from './stack/table.ts'

/** What was started, to be stopped in the opposite order. */
const started: (() => Promise<unknown>)[] = []
let stopping: Promise<void> | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void stop(0))
}
// Whoever started us is gone without a word.
process.on('disconnect', () => void stop(1))

try {
  const options = readOptions(process.argv.slice(2))
  if (typeof options === 'string') {
    console.log(options)
    process.exit(0)
  }
  await start(options)
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
  await checkPorts(options)

  const devnetPorts = [options.devnetPort, options.devnetPort2]
  const devnet: Step = { run: () => runDevnet(files, { ports: devnetPorts, seed: options.seed }) }
  const service: Step = { run: () => runService(files, options.apiPort) }
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
                task: () => buildDemos(path.join(files.logFolder, 'build.log')),
              },
              { title: 'Chains', task: (_, task) => bringUp(devnet, task) },
            ],
            { concurrent: true },
          ),
      },
      { title: 'Demo key', task: async () => void (key = await demoKey(files)) },
      { title: 'Service', task: (_, task) => bringUp(service, task) },
    ],
    { registerSignalListeners: false },
  ).run()
  await checkDemoKey(apiUrl, key, files)

  const wallets = devnet.ready!.wallets as { name: string; address: string }[]
  const chains = (devnet.ready!.chains as DevnetChain[]).map(({ chainId, name, config }) => ({
    id: chainId,
    name,
    tags: config.tags,
  }))
  const page = { apiUrl, apiKey: key, wallets, chains }
  const serve = async (app: string, port: number, config: object) => {
    const server = await servePage(app, port, config)
    started.push(() => server.close())
    return server.url
  }
  const demos = {
    react: await serve('react-demo', options.reactPort, page),
    vue: await serve('vue-demo', options.vuePort, page),
    svelte: await serve('svelte-demo', options.sveltePort, page),
  }
  const landing = await serve('landing', options.landingPort, { demos })
  const urls = { ...demos, landing, api: apiUrl }
  const nodes = devnetPorts.map((port) => `http://127.0.0.1:${port}`)
  console.log(table({ urls, nodes, key, wallet: wallets[0]!.address, data: options.data }))
  const pids = { service: service.process!.pid, devnet: devnet.process!.pid }
  process.send?.({ type: 'ready', urls, nodes, key, wallets, pids })

  await Promise.race([service.process!.failed(), devnet.process!.failed()])
}

/** What the devnet says of each of its chains, as far as pages are told of it. */
interface DevnetChain {
  readonly chainId: number
  readonly name: string
  readonly config: { readonly tags: readonly string[] }
}

/** A program to be brought up, and what came of it. */
interface Step {
  readonly run: () => Process
  process?: Process
  ready?: Record<string, unknown>
}

async function bringUp(step: Step, task: { output: string }): Promise<void> {
  const program = step.run()
  started.push(() => program.stop())
  step.process = program
  step.ready = await program.ready((text) => (task.output = text))
}

async function checkPorts(options: StackOptions): Promise<void> {
  await checkPort(options.devnetPort, 'node of chain 31337', '--devnet-port')
  await checkPort(options.devnetPort2, 'node of chain 31338', '--devnet-port-2')
  await checkPort(options.apiPort, 'API', '--api-port')
  await checkPort(options.reactPort, 'React demo', '--react-port')
  await checkPort(options.vuePort, 'Vue demo', '--vue-port')
  await checkPort(options.sveltePort, 'Svelte demo', '--svelte-port')
  await checkPort(options.landingPort, 'landing page', '--landing-port')
}

/** Ends everything that was started, then this process. A second call waits for the first. */
function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    if (started.length > 0) {
      console.log('\nStopping …')
    }
    for (const end of started.reverse()) {
      await end().catch((error: unknown) => console.error(error))
    }
    process.exit(code)
  })()
  return stopping
}
