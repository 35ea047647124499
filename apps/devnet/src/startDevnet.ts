import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { assertPortIsFree } from './anvil/assertPortIsFree.ts'
import type { DevnetChain } from './DevnetChain.ts'
import { devnetOne } from './scenarios/devnetOne.ts'
import { devnetTwo } from './scenarios/devnetTwo.ts'
import { startChain, type StartOptions } from './startChain.ts'

/** Options of `startDevnet`. */
export interface StartDevnetOptions extends StartOptions {
  /** One for each chain; default 8545 and 8546, and 0 for a free port. */
  readonly ports?: readonly [number, number] | undefined
  /** The path of the configuration file to write for a service that indexes both chains, beside a token list. */
  readonly configOut?: string | undefined
}

/** The two running chains. */
export interface Devnet {
  readonly chains: readonly [DevnetChain, DevnetChain]
  /** Saves both chains and stops their nodes. */
  stop(): Promise<void>
}

/**
 * Starts both chains concurrently: `devnet-one` (31337) and `devnet-two` (31338).
 *
 * @throws {DevnetError} as `startChain` does; no chain is left running
 * @example
 * const devnet = await startDevnet({ ports: [0, 0], days: 1, live: false })
 * const [one] = devnet.chains
 * await one.transfer({ token: one.token('DELTA').address, from: alice, to: bob, amount: 1n })
 * await devnet.stop()
 */
export async function startDevnet(options: StartDevnetOptions = {}): Promise<Devnet> {
  const [portOne, portTwo] = options.ports ?? [8_545, 8_546]
  // Checked first, so that one chain does not mine its past before the other one fails.
  await assertPortIsFree(portOne)
  await assertPortIsFree(portTwo)
  const results = await Promise.allSettled([
    startChain({ ...options, scenario: devnetOne, port: portOne }),
    startChain({ ...options, scenario: devnetTwo, port: portTwo }),
  ])
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async () => {
    await Promise.all(started.map((chain) => chain.stop()))
  }
  const [one, two] = results
  if (one.status === 'rejected' || two.status === 'rejected') {
    await stop()
    throw one.status === 'rejected' ? one.reason : (two as PromiseRejectedResult).reason
  }
  if (options.configOut !== undefined) {
    await writeConfig(options.configOut, started)
  }
  return { chains: [one.value, two.value], stop }
}

/** The odd tokens have no pool: a token list distinguishes them from spam, so that wallets contain them. */
async function writeConfig(file: string, chains: readonly DevnetChain[]): Promise<void> {
  const folder = dirname(file)
  const tokenList = `${basename(file, '.json')}.tokenlist.json`
  const tokens = chains.flatMap(({ chainId, oddTokens }) =>
    oddTokens.map(({ address, name, symbol, decimals }) => {
      return { chainId, address, name, symbol, decimals }
    }),
  )
  await mkdir(folder, { recursive: true })
  const write = (path: string, content: object) =>
    writeFile(path, `${JSON.stringify(content, undefined, 2)}\n`)
  await write(join(folder, tokenList), { name: 'Devnet', tokens })
  await write(file, {
    chains: chains.map(({ config }) => config),
    media: { tokenLists: [tokenList] },
  })
}
