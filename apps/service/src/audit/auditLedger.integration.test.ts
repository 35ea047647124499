import { pino } from 'pino'
import { expect, it } from 'vitest'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { startCollections, type Transaction, wallet } from '../../test/startCollections.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { Auditor } from './Auditor.ts'
import type { AuditOptions } from './auditRound.ts'

const callsPerMinute = 600
const balanceOfSelector = '0x70a08231'

it('has a third of the calls for NFTs, and as many for balances, while both need more', async () => {
  const { db } = await openSharedStore('pglite')
  const world = await startCollections()
  const tokens = await world.deploy('ItemToken', 80)
  const collections = await world.deploy('OddCollection', 30)
  await world.mine([
    ...tokens.flatMap((token) =>
      [0, 1, 2].map((holder): Transaction => [token, 'mint', wallet(holder), 5n]),
    ),
    ...collections.map((to, index): Transaction => [to, 'mintBatch', wallet(index), 1n, 20n]),
  ])
  const { chainId } = world
  const config = testChainConfig(chainId, { rpcUrls: [world.node.url], pollIntervalMs: 20 })
  const indexer = indexTestChain({ db } as Parameters<typeof indexTestChain>[0], config)
  await indexer.reaches(await world.headHash())
  const node = new ChainNode([world.node.url])
  const calls = { balances: 0, nfts: 0 }
  const multicall: AuditOptions['node']['multicall'] = async (batch, ...rest) => {
    const balances = batch.filter(({ data }) => data.startsWith(balanceOfSelector)).length
    calls.balances += balances
    calls.nfts += batch.length - balances
    return await node.multicall(batch, ...rest)
  }
  const options = { db, node: { multicall }, chainId, logger: pino({ level: 'silent' }) }
  // The calls of a minute, without the pauses of the rate.
  await new Auditor(options, callsPerMinute).auditFirst(new AbortController().signal, 60_000)
  await indexer.stop()
  expect(calls.balances + calls.nfts).toBeLessThanOrEqual(callsPerMinute)
  expect(calls.nfts).toBeGreaterThanOrEqual(callsPerMinute / 3)
  expect(calls.balances).toBeGreaterThanOrEqual(callsPerMinute / 3)
})
