import type { Command } from 'commander'
import { CommandError } from '../commands/CommandError.ts'
import { detectConfig } from '../config/detectConfig.ts'
import { defaultConfigFile, loadConfig } from '../config/loadConfig.ts'
import { estimateChain } from '../estimate/estimateChain.ts'
import { formatEstimate } from '../estimate/formatEstimate.ts'
import { sampleChain } from '../estimate/sampleChain.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { parseChainOption } from './commandOptions.ts'
import { createStopSignal } from './createStopSignal.ts'

interface EstimateOptions {
  readonly chain?: string
  readonly rpc?: string
  readonly config: string
  readonly samples: string
  readonly json?: boolean
}

/** Adds `estimate`. */
export function addEstimateCommand(program: Command): void {
  program
    .command('estimate')
    .description('sample a chain by its nodes, and print what indexing it takes: rows, bytes, time')
    .option('--chain <id>', 'numeric id of the chain (default: the only one)')
    .option('--rpc <url>', 'JSON-RPC node to use without a configuration file')
    .option('--config <file>', 'configuration file', defaultConfigFile)
    .option('--samples <count>', 'blocks to sample', '200')
    .option('--json', 'print JSON')
    .action(async (options: EstimateOptions) => {
      const signal = createStopSignal()
      try {
        await run(options, signal)
      } catch (error) {
        throw signal.aborted ? new CommandError('Interrupted') : error
      }
    })
}

async function run(options: EstimateOptions, signal: AbortSignal): Promise<void> {
  const { rpc, config: file, json = false } = options
  const { chains } = rpc === undefined ? loadConfig(file) : await detectConfig([rpc])
  const known = chains.map(({ id }) => id).join(', ')
  if (options.chain === undefined && chains.length > 1) {
    throw new CommandError(`Select a chain with --chain: one of ${known}`)
  }
  const chainId = options.chain === undefined ? chains[0]?.id : parseChainOption(options.chain)
  const chain = chains.find(({ id }) => id === chainId)
  if (!chain) {
    throw new CommandError(`--chain: chain ${options.chain} is not one of ${known}`)
  }
  if (!/^[1-9]\d{0,5}$/.test(options.samples)) {
    throw new CommandError(`--samples must be a number from 1 to 999999, not "${options.samples}"`)
  }
  const sample = await sampleChain({
    chain,
    signal,
    count: Number(options.samples),
    node: new ChainNode(chain.rpcUrls, { verify: 'basic', chainId: chain.id }),
    onProgress: (text) => void process.stderr.write(`${text}\n`),
  })
  const estimate = estimateChain(chain.id, sample)
  const text = json ? JSON.stringify(estimate, undefined, 2) : formatEstimate(estimate)
  process.stdout.write(`${text}\n`)
}
