// `npm start`: two local chains, the service that indexes them, and the three demo pages; then a table of where they are.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { Listr } from 'listr2'
import { buildDemos } from './stack/buildDemos.ts'
import { checkPort } from './stack/checkPort.ts'
import { demoKey } from './stack/demoKey.ts'
import { readOptions, type StackOptions } from './stack/options.ts'
import { Process } from './stack/Process.ts'
import { root } from './stack/root.ts'
import { servePage } from './stack/servePage.ts'
import { StartError } from './stack/StartError.ts'
import { table } from './stack/table.ts'

/** What was started, to be stopped in the opposite order. */
const started: (() => Promise<unknown>)[] = []
let stopping: Promise<void> | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop(0))
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
  if (stopping) await stopping
  console.error(error instanceof StartError ? `\n${error.message}` : error)
  await stop(1)
}

async function start(options: StackOptions): Promise<void> {
  const data = path.resolve(root, options.data)
  const logs = path.join(data, 'logs')
  mkdirSync(logs, { recursive: true })
  const apiUrl = `http://127.0.0.1:${options.apiPort}`
  const configFile = path.join(data, 'service.config.json')
  const storeFolder = path.join(data, 'service')
  const serviceArgs = [
    '--disable-warning=ExperimentalWarning',
    '--conditions=@headwater/source',
    'apps/service/src/main.ts',
  ]
  let wallets: { name: string; address: string }[] = []
  let service: Process | undefined
  let devnet: Process | undefined

  await checkPort(options.devnetPort, 'node of chain 31337', '--devnet-port')
  await checkPort(options.devnetPort2, 'node of chain 31338', '--devnet-port-2')
  await checkPort(options.apiPort, 'API', '--api-port')
  await checkPort(options.reactPort, 'React demo', '--react-port')
  await checkPort(options.vuePort, 'Vue demo', '--vue-port')
  await checkPort(options.sveltePort, 'Svelte demo', '--svelte-port')

  await new Listr(
    [
      { title: 'Demo pages', task: () => buildDemos(path.join(logs, 'build.log')) },
      {
        title: 'Chains',
        task: async (_, task) => {
          const ports = `${options.devnetPort},${options.devnetPort2}`
          devnet = new Process({
            name: 'devnet',
            command: process.execPath,
            args: [
              'apps/devnet/src/main.ts',
              '--data',
              path.join(data, 'devnet'),
              '--ports',
              ports,
              '--seed',
              options.seed,
              '--config-out',
              configFile,
            ],
            cwd: root,
            logFile: path.join(logs, 'devnet.log'),
          })
          started.push(() => devnet!.stop())
          const ready = await devnet.ready((text) => (task.output = text))
          wallets = ready.wallets as typeof wallets
        },
      },
    ],
    { concurrent: true, registerSignalListeners: false },
  ).run()

  const key = await demoKey({ storeFolder, serviceArgs, configFile })

  await new Listr(
    [
      {
        title: 'Service',
        task: async (_, task) => {
          service = new Process({
            name: 'service',
            command: process.execPath,
            args: [
              ...serviceArgs,
              'start',
              '--config',
              configFile,
              '--data',
              storeFolder,
              '--port',
              String(options.apiPort),
            ],
            cwd: root,
            logFile: path.join(logs, 'service.log'),
          })
          started.push(() => service!.stop())
          await service.ready((text) => (task.output = text))
        },
      },
    ],
    { registerSignalListeners: false },
  ).run()

  const page = { apiUrl, apiKey: key, wallets }
  const demos = {
    react: await servePage('react-demo', options.reactPort, page),
    vue: await servePage('vue-demo', options.vuePort, page),
    svelte: await servePage('svelte-demo', options.sveltePort, page),
  }
  for (const demo of Object.values(demos)) started.push(() => demo.close())

  const urls = { react: demos.react.url, vue: demos.vue.url, svelte: demos.svelte.url, api: apiUrl }
  const nodes = [options.devnetPort, options.devnetPort2].map((port) => `http://127.0.0.1:${port}`)
  console.log(table({ urls, nodes, key, wallet: wallets[0]!.address, data: options.data }))
  process.send?.({
    type: 'ready',
    urls,
    nodes,
    key,
    wallets,
    pids: { service: service!.pid, devnet: devnet!.pid },
  })

  await Promise.race([service!.failed(), devnet!.failed()])
}

/** Ends everything that was started, then this process. A second call waits for the first. */
function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    if (started.length > 0) console.log('\nStopping …')
    for (const end of started.reverse()) {
      await end().catch((error: unknown) => console.error(error))
    }
    process.exit(code)
  })()
  return stopping
}
