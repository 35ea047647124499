import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refuseTakenPort } from './anvil/refuseTakenPort.ts'
import type { DevnetChain } from './DevnetChain.ts'
import { devnetOne } from './scenarios/devnetOne.ts'
import { devnetTwo } from './scenarios/devnetTwo.ts'
import { startChain, type StartOptions } from './startChain.ts'

/** How to start the devnet. */
export interface StartDevnetOptions extends StartOptions {
  /** One a chain; default 8545 and 8546, and 0 is a free one. */
  readonly ports?: readonly [number, number] | undefined
  /** Where to write the configuration file of a service that indexes both chains. */
  readonly configOut?: string | undefined
}

/** The two running chains. */
export interface Devnet {
  readonly chains: readonly [DevnetChain, DevnetChain]
  /** Saves both chains and ends their nodes. */
  stop(): Promise<void>
}

/**
 * Starts both chains at once: `devnet-one` (31337) and `devnet-two` (31338).
 *
 * @throws {DevnetError} as `startChain` does; then neither chain is left running
 * @example
 * const devnet = await startDevnet({ ports: [0, 0], days: 1, live: false })
 * const [one] = devnet.chains
 * await one.transfer({ token: one.token('DELTA').address, from: alice, to: bob, amount: 1n })
 * await devnet.stop()
 */
export async function startDevnet(options: StartDevnetOptions = {}): Promise<Devnet> {
  const [portOne, portTwo] = options.ports ?? [8_545, 8_546]
  // Before either begins: otherwise the one would make its whole past before the other's trouble is told.
  await refuseTakenPort(portOne)
  await refuseTakenPort(portTwo)
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
    const configuration = { chains: started.map(({ config }) => config) }
    await mkdir(dirname(options.configOut), { recursive: true })
    await writeFile(options.configOut, `${JSON.stringify(configuration, undefined, 2)}\n`)
  }
  return { chains: [one.value, two.value], stop }
}
