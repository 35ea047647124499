import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { DevnetError } from './DevnetError.ts'
import { sampleWallets } from './sampleWallets.ts'
import type { DevnetProgress } from './startChain.ts'
import { type Devnet, startDevnet } from './startDevnet.ts'

interface CommandOptions {
  data: string
  ports: [number, number]
  longBlocks: number
  longPort: number
  seed?: string
  days?: number
  blockTime: number
  configOut?: string
}

const program = new Command('headwater-devnet')
  .description('Local EVM chains with a realistic past and active accounts.')
  .option('--data <folder>', 'folder of the chains and wallets.json', '.headwater/devnet')
  .addOption(
    new Option('--ports <one,two>', 'JSON-RPC ports of the two chains; 0 selects a free port')
      .argParser(portsOf)
      .default([8_545, 8_546], '8545,8546'),
  )
  .addOption(
    new Option(
      '--long-blocks <count>',
      'blocks in the past of a third chain, which takes minutes to index; 0 leaves it out',
    )
      .argParser(countOf)
      .default(0),
  )
  .addOption(
    new Option('--long-port <port>', 'JSON-RPC port of the third chain; 0 selects a free port')
      .argParser(portOf)
      .default(8_547),
  )
  .option('--seed <text>', 'the same seed gives the same past (default "headwater")')
  .option('--days <days>', 'days of block time in the past (default 21)', positiveNumber)
  .option('--block-time <seconds>', 'seconds between two blocks', positiveNumber, 2)
  .option('--config-out <file>', 'write the configuration of a service that indexes the chains')
  .addHelpText(
    'after',
    '\nThe chains continue from their saved state; delete the data folder to start over.',
  )
  .parse()

let devnet: Devnet | undefined
let isExiting = false
const lastStep = new Map<number, string>()

process.on('SIGINT', () => void exit(0))
process.on('SIGTERM', () => void exit(0))
// The parent process exited.
process.on('disconnect', () => void exit(0))
if (process.connected === false) {
  // It exited before the listener was added.
  process.exit(0)
}

try {
  const { data, ports, longBlocks, longPort, seed, days, blockTime, configOut } =
    program.opts<CommandOptions>()
  const dataFolder = resolve(data)
  devnet = await startDevnet({
    dataFolder,
    ports,
    longBlocks,
    longPort,
    seed,
    days,
    blockTime,
    configOut: configOut === undefined ? undefined : resolve(configOut),
    onProgress: showProgress,
    onFailure: (error) => {
      printError(error)
      void exit(1)
    },
  })
  await mkdir(dataFolder, { recursive: true })
  await writeFile(
    join(dataFolder, 'wallets.json'),
    `${JSON.stringify(sampleWallets(), undefined, 2)}\n`,
  )
  const started = [...devnet.chains, ...(devnet.longChain ? [devnet.longChain] : [])]
  const chains = started.map(({ chainId, name, rpcUrl, config, tokens }) => ({
    chainId,
    name,
    rpcUrl,
    config,
    tokens: tokens.map(({ symbol, address, decimals }) => ({ symbol, address, decimals })),
  }))
  for (const { chainId, name, rpcUrl } of chains) {
    print(`${name} (${chainId}): ${rpcUrl}`)
  }
  process.send?.({ type: 'ready', chains, wallets: sampleWallets() })
} catch (error) {
  printError(error)
  await exit(1)
}

/** A line for each step, and for each tenth of a long one. */
function showProgress({ chainId, name, step, percent }: DevnetProgress): void {
  const tenth = `${step} ${Math.floor(percent / 10)}`
  if (lastStep.get(chainId) === tenth) {
    return
  }
  lastStep.set(chainId, tenth)
  const text = `${name}: ${step}${step === 'mining the past' ? ` ${percent} %` : ''}`
  print(text)
  process.send?.({ type: 'progress', text })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function printError(error: unknown): void {
  const unexpected = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${error instanceof DevnetError ? error.message : unexpected}\n`)
}

async function exit(code: number): Promise<void> {
  if (isExiting) {
    return
  }
  isExiting = true
  process.exitCode = code
  await devnet?.stop()
  process.exit(code)
}

function portsOf(value: string): [number, number] {
  const [one, two, ...more] = value.split(',').map(Number)
  if (!isPort(one) || !isPort(two) || more.length > 0 || (one === two && one !== 0)) {
    throw new InvalidArgumentError('Two different ports are needed, as in 8545,8546.')
  }
  return [one, two]
}

function portOf(value: string): number {
  const port = Number(value)
  if (!isPort(port)) {
    throw new InvalidArgumentError('A port from 0 to 65535 is needed.')
  }
  return port
}

function isPort(port: number | undefined): port is number {
  return port !== undefined && Number.isInteger(port) && port >= 0 && port <= 65_535
}

function countOf(value: string): number {
  const count = Number(value)
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new InvalidArgumentError('An integer of at least 0 is needed.')
  }
  return count
}

function positiveNumber(value: string): number {
  const number = Number(value)
  if (!(number > 0 && number < Infinity)) {
    throw new InvalidArgumentError('A number above 0 is needed.')
  }
  return number
}
