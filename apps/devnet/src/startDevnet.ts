import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { assertPortIsFree } from './anvil/assertPortIsFree.ts'
import type { DevnetChain } from './DevnetChain.ts'
import { devnetOne } from './scenarios/devnetOne.ts'
import { devnetTwo } from './scenarios/devnetTwo.ts'
import { startChain, type StartOptions } from './startChain.ts'
import { type LongChain, startLongChain } from './startLongChain.ts'

/** Options of `startDevnet`. */
export interface StartDevnetOptions extends StartOptions {
  /** One for each chain; default 8545 and 8546, and 0 for a free port. */
  readonly ports?: readonly [number, number] | undefined
  /** The number of blocks in the past of a third chain, `devnet-long`; default 0, without that chain. */
  readonly longBlocks?: number | undefined
  /** The port of that chain; default 8547, and 0 for a free port. */
  readonly longPort?: number | undefined
  /** The path of the configuration file to write for a service that indexes all chains, beside a token list. */
  readonly configOut?: string | undefined
}

/** The running chains. */
export interface Devnet {
  readonly chains: readonly [DevnetChain, DevnetChain]
  readonly longChain: LongChain | undefined
  /** Saves the chains and stops their nodes. */
  stop(): Promise<void>
}

/**
 * Starts the chains concurrently: `devnet-one` (31337), `devnet-two` (31338), and with `longBlocks` also `devnet-long` (31339).
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
  const { longBlocks = 0, longPort = 8_547 } = options
  // Checked first, so that one chain does not mine its past before another one fails.
  for (const port of [portOne, portTwo, ...(longBlocks > 0 ? [longPort] : [])]) {
    await assertPortIsFree(port)
  }
  const [one, two, long] = await Promise.allSettled([
    startChain({ ...options, scenario: devnetOne, port: portOne }),
    startChain({ ...options, scenario: devnetTwo, port: portTwo }),
    longBlocks > 0 ? startLongChain({ ...options, blocks: longBlocks, port: longPort }) : undefined,
  ])
  const started = [one, two, long].flatMap((result) =>
    result.status === 'fulfilled' && result.value ? [result.value] : [],
  )
  const stop = async () => {
    await Promise.all(started.map((chain) => chain.stop()))
  }
  if (one.status === 'rejected' || two.status === 'rejected' || long.status === 'rejected') {
    await stop()
    throw [one, two, long].find((result) => result.status === 'rejected')?.reason
  }
  const chains = [one.value, two.value] as const
  if (options.configOut !== undefined) {
    await writeConfig(options.configOut, chains, started)
  }
  return { chains, longChain: long.value, stop }
}

/** The odd tokens have no pool: a token list distinguishes them from spam, so that wallets contain them. */
async function writeConfig(
  file: string,
  listed: readonly DevnetChain[],
  all: readonly { readonly config: object }[],
): Promise<void> {
  const folder = dirname(file)
  const tokenList = `${basename(file, '.json')}.tokenlist.json`
  const tokens = listed.flatMap(({ chainId, oddTokens }) =>
    oddTokens.map(({ address, name, symbol, decimals }) => {
      return { chainId, address, name, symbol, decimals }
    }),
  )
  await mkdir(folder, { recursive: true })
  const write = (path: string, content: object) =>
    writeFile(path, `${JSON.stringify(content, undefined, 2)}\n`)
  await write(join(folder, tokenList), { name: 'Devnet', tokens })
  await write(file, {
    chains: all.map(({ config }) => config),
    media: { tokenLists: [tokenList] },
  })
}
