import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  startSyntheticNode,
  type SyntheticNode,
} from '../../../../apps/devnet/src/synthetic/startSyntheticNode.ts'
import type { SyntheticChain } from '../../../../apps/devnet/src/synthetic/SyntheticChain.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { installPeers } from '../backfill/installPeers.ts'
import { ponder } from '../backfill/ponder.ts'
import { subsquid } from '../backfill/subsquid.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import { benchPeer } from './benchPeer.ts'
import { type InstalledService, installService } from './installService.ts'
import { hostedLimits, openHostedChain, wallet, walletTokens } from './openHostedChain.ts'
import { ServiceRun, type WalletResponse } from './ServiceRun.ts'

/** Targets of the first balances, and of those of each later head. */
const wanted = { seconds: 15, requests: 40, requestsPerHead: 3 }
const laterHeads = 5
const pollMs = 100

/**
 * Measures the time and the requests from the start of the packed service until it returns the first and all balances of a
 * wallet, of a chain that it has not seen, by a node with the limits of a hosted one.
 */
export async function benchFirstResponse(
  postgres: BenchPostgres,
  options: {
    readonly history: number
    readonly peerSeconds: number
    readonly withoutPeers: boolean
  },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-first-answer-'))
  try {
    printProgress('Packing and installing the service …')
    const service = installService(folder)
    printFigure('first-answer install', {
      seconds: rounded(service.seconds),
      megabytes: Math.round(service.megabytes),
    })
    printProgress('Creating the chain …')
    const chain = openHostedChain(options.history)
    for (const history of ['node-then-index', 'node'] as const) {
      printProgress(`First response: history = ${history} …`)
      await benchHistory(history, chain, service, join(folder, history))
    }
    if (!options.withoutPeers) {
      installPeers()
      for (const peer of [ponder, subsquid]) {
        printProgress(`First response: ${peer.name}, at most ${options.peerSeconds} s …`)
        await benchPeer(peer, chain, postgres, options.peerSeconds)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchHistory(
  history: 'node-then-index' | 'node',
  chain: SyntheticChain,
  service: InstalledService,
  folder: string,
): Promise<void> {
  mkdirSync(folder)
  const node = await startSyntheticNode(chain, { ...hostedLimits })
  const count = () => ({
    requests: countRequests(node),
    rejected: node.rejected(),
    by_method: Object.fromEntries(node.requests),
  })
  try {
    const isNode = history === 'node'
    const key = isNode ? await configureNode(service, node.url, folder) : undefined
    node.requests.clear()
    const args = isNode ? ['start'] : ['--rpc', node.url]
    const run = new ServiceRun(service, args, folder, key)
    try {
      const first = await poll(() => run.requestBalances())
      const firstSeconds = run.seconds
      const atFirst = count()
      expectExact(chain, first)
      printFigure('first-answer', {
        indexer: 'headwater',
        history,
        response: 'first',
        seconds: rounded(firstSeconds),
        ...atFirst,
        tokens: first.tokens.size,
        priced: first.priced,
        share_of: walletTokens,
        reach: { seconds: wanted.seconds, requests: wanted.requests },
        ok: firstSeconds < wanted.seconds && atFirst.requests <= wanted.requests,
      })
      const complete = await poll(async () => {
        const response = await run.requestBalances()
        return response && !response.isPartial ? response : undefined
      })
      expectExact(chain, complete)
      if (complete.tokens.size !== walletTokens) {
        throw new Error(`The complete response has ${complete.tokens.size} tokens`)
      }
      const ranges = Math.ceil(chain.options.blocks / hostedLimits.maxRange)
      printFigure('first-answer', {
        indexer: 'headwater',
        history,
        response: 'complete',
        seconds: rounded(run.seconds),
        ...count(),
        tokens: complete.tokens.size,
        priced: complete.priced,
        log_requests: node.requests.get('eth_getLogs') ?? 0,
        // A wallet is the first, second or third indexed parameter of a transfer.
        least_log_requests: 3 * ranges,
      })
      if (history === 'node') {
        await benchHeads(chain, run, node, complete.block)
      }
    } catch (error) {
      process.stderr.write(run.output.slice(-4000))
      throw error
    } finally {
      await run.stop()
    }
  } finally {
    await node.stop()
  }
}

/** Requests for each later head, each with transfers of other accounts. */
async function benchHeads(
  chain: SyntheticChain,
  run: ServiceRun,
  node: SyntheticNode,
  since: number,
): Promise<void> {
  const perHead: number[] = []
  let last = since
  for (let head = 0; head < laterHeads; head++) {
    await delay(1000)
    node.requests.clear()
    chain.mine()
    const response = await poll(async () => {
      const next = await run.requestBalances()
      return next && next.block > last ? next : undefined
    })
    expectExact(chain, response)
    last = response.block
    perHead.push(countRequests(node))
    if (head === laterHeads - 1) {
      printFigure('first-answer heads', {
        requests_per_head: perHead,
        by_method: Object.fromEntries(node.requests),
        reach: wanted.requestsPerHead,
        ok: Math.max(...perHead) <= wanted.requestsPerHead,
      })
    }
  }
}

/**
 * Writes a configuration with `headwater init`, in which the chain is not indexed, so that all requests are for responses.
 *
 * @returns a key.
 */
async function configureNode(
  { main, home }: InstalledService,
  url: string,
  folder: string,
): Promise<string> {
  const run = async (...args: string[]) => {
    const environment = { PATH: process.env['PATH'], HOME: home }
    const options = { cwd: folder, env: environment }
    return (await promisify(execFile)(process.execPath, [main, ...args], options)).stdout
  }
  await run('init', '--rpc', url)
  const file = join(folder, 'headwater.config.json')
  const config = JSON.parse(readFileSync(file, 'utf8')) as { chains: object[] }
  const chains = config.chains.map((chain) => ({ ...chain, history: 'node' }))
  writeFileSync(file, JSON.stringify({ ...config, chains }))
  const [key] = /hw_[\w-]+/.exec(await run('keys', 'create', '--name', 'bench')) ?? []
  if (key === undefined) {
    throw new Error('headwater keys create printed no key')
  }
  return key
}

function countRequests(node: SyntheticNode): number {
  return [...node.requests.values()].reduce((sum, each) => sum + each, 0)
}

async function poll<Result>(read: () => Promise<Result | undefined>): Promise<Result> {
  for (;;) {
    const result = await read()
    if (result !== undefined) {
      return result
    }
    await delay(pollMs)
  }
}

/** Compares a response with a count of all transfers of the wallet up to its block. */
function expectExact(chain: SyntheticChain, { block, tokens }: WalletResponse): void {
  const counted = chain.countBalances(wallet, block)
  for (const [address, amount] of tokens) {
    if (String(counted.get(address) ?? 0n) !== amount) {
      throw new Error(`${address} is ${amount} at block ${block}, not ${counted.get(address)}`)
    }
  }
}
