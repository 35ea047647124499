import type { ChainConfig, Config } from '../config/Config.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { checkAudit } from './checkAudit.ts'
import { checkConfig } from './checkConfig.ts'
import { checkContracts } from './checkContracts.ts'
import { checkDisks } from './checkDisks.ts'
import { checkFacts } from './checkFacts.ts'
import { checkIndex } from './checkIndex.ts'
import { checkLimits } from './checkLimits.ts'
import { checkNode } from './checkNode.ts'
import type { CheckResult } from './CheckResult.ts'
import { checkSource } from './checkSource.ts'
import { checkStore } from './checkStore.ts'
import { checkWebSocket } from './checkWebSocket.ts'

/**
 * Checks configuration, store, facts, nodes and contracts. It changes nothing but a small file of the facts, which it deletes.
 */
export async function runChecks(config: Config, now = new Date()): Promise<CheckResult[]> {
  const [store, disks, index, audit, limits, facts, ...chains] = await Promise.all([
    checkStore(config),
    checkDisks(config),
    checkIndex(config),
    checkAudit(config),
    checkLimits(config),
    checkFacts(config),
    ...config.chains.map((chain) => checkChain(chain, now)),
  ])
  return [checkConfig(config), store, disks, facts, ...chains, limits, index, audit].flat()
}

async function checkChain(chain: ChainConfig, now: Date): Promise<CheckResult[]> {
  const names = new ChainNode(chain.rpcUrls).stats().map(({ name }) => name)
  const found = await Promise.all(
    chain.rpcUrls.map((endpoint, at) => checkNode(chain, endpoint, names[at] ?? 'node', now)),
  )
  const sockets = await Promise.all(
    chain.rpcUrls.map(async (endpoint, at) => {
      const url = typeof endpoint === 'string' ? undefined : endpoint.webSocketUrl
      return url === undefined ? [] : [await checkWebSocket(chain, url, names[at] ?? 'node')]
    }),
  )
  // A node of another chain has other contracts at these addresses.
  const usable = chain.rpcUrls.filter((_, at) => found[at]?.every(({ level }) => level !== 'error'))
  return [
    ...found.flat(),
    ...sockets.flat(),
    ...(usable.length > 0
      ? [...(await checkContracts(chain, usable)), ...(await checkSource(chain, usable))]
      : []),
  ]
}
