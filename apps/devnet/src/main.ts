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
  seed?: string
  days?: number
  blockTime: number
  configOut?: string
}

const program = new Command('headwater-devnet')
  .description('Two local EVM chains with a believable past and a lively present.')
  .option('--data <folder>', 'where the chains and wallets.json are kept', '.headwater/devnet')
  .addOption(
    new Option('--ports <one,two>', 'JSON-RPC ports of the two chains; 0 is a free one')
      .argParser(portsOf)
      .default([8_545, 8_546], '8545,8546'),
  )
  .option('--seed <text>', 'the same seed gives the same past (default "headwater")')
  .option('--days <days>', 'days of block time in the past (default 21)', positiveNumber)
  .option('--block-time <seconds>', 'seconds between two blocks', positiveNumber, 2)
  .option('--config-out <file>', 'write the configuration of a service that indexes both chains')
  .addHelpText(
    'after',
    '\nThe chains go on from where they were; delete the data folder to begin anew.',
  )
  .parse()

let devnet: Devnet | undefined
let leaving = false
const lastStep = new Map<number, string>()

process.on('SIGINT', () => void leave(0))
process.on('SIGTERM', () => void leave(0))
// Whoever started us over IPC is gone, however it went.
process.on('disconnect', () => void leave(0))

try {
  const { data, ports, seed, days, blockTime, configOut } = program.opts<CommandOptions>()
  const dataFolder = resolve(data)
  const starting = startDevnet({
    dataFolder,
    ports,
    seed,
    days,
    blockTime,
    configOut: configOut === undefined ? undefined : resolve(configOut),
    onProgress: showProgress,
    onFailure: (error) => {
      complain(error)
      void leave(1)
    },
  })
  devnet = await starting
  await mkdir(dataFolder, { recursive: true })
  await writeFile(
    join(dataFolder, 'wallets.json'),
    `${JSON.stringify(sampleWallets(), undefined, 2)}\n`,
  )
  const chains = devnet.chains.map(({ chainId, name, rpcUrl, config, tokens }) => ({
    chainId,
    name,
    rpcUrl,
    config,
    tokens: tokens.map(({ symbol, address, decimals }) => ({ symbol, address, decimals })),
  }))
  for (const { chainId, name, rpcUrl } of chains) {
    say(`${name} (${chainId.toString()}): ${rpcUrl}`)
  }
  process.send?.({ type: 'ready', chains, wallets: sampleWallets() })
} catch (error) {
  complain(error)
  await leave(1)
}

/** A line for each step, and for each tenth of a long one. */
function showProgress({ chainId, name, step, percent }: DevnetProgress): void {
  const tenth = `${step} ${Math.floor(percent / 10).toString()}`
  if (lastStep.get(chainId) === tenth) {
    return
  }
  lastStep.set(chainId, tenth)
  const text = `${name}: ${step}${step === 'making the past' ? ` ${percent.toString()} %` : ''}`
  say(text)
  process.send?.({ type: 'progress', text })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function complain(error: unknown): void {
  const unexpected = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${error instanceof DevnetError ? error.message : unexpected}\n`)
}

async function leave(code: number): Promise<void> {
  if (leaving) {
    return
  }
  leaving = true
  process.exitCode = code
  await devnet?.stop()
  process.exit(code)
}

function portsOf(value: string): [number, number] {
  const [one, two, ...more] = value.split(',').map(Number)
  const valid = (port: number | undefined): port is number =>
    port !== undefined && Number.isInteger(port) && port >= 0 && port <= 65_535
  if (!valid(one) || !valid(two) || more.length > 0 || (one === two && one !== 0)) {
    throw new InvalidArgumentError('Two different ports are needed, as in 8545,8546.')
  }
  return [one, two]
}

function positiveNumber(value: string): number {
  const number = Number(value)
  if (!(number > 0 && number < Infinity)) {
    throw new InvalidArgumentError('A number above 0 is needed.')
  }
  return number
}
