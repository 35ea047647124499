import type { Kysely } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { topics } from '../../indexing/decode/topics.ts'
import type { Call } from '../../rpc/methods/Call.ts'
import type { Database } from '../../store/Database.ts'
import { HeadTrail } from '../HeadTrail.ts'
import { loadHolderBatch } from './holderRows.ts'
import { HolderScans } from './HolderScans.ts'

const toWord = (value: bigint | number | string) =>
  `0x${(typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')}`
const head = {
  ...{ number: 1_000, hash: toWord(1_000), parentHash: toWord(999), time: 12_000 },
  ...{ logsBloom: undefined, receiptsRoot: undefined, transactionHashes: [] },
}
const token = testAddress(1)

interface Contract {
  /** The most blocks of a response with logs. */
  readonly maxRange?: number
  /** The amount of each holder after a transfer of 1. */
  readonly amount?: bigint
}

/** A chain with a mint of 1 in each tenth block, to a holder of its own, by each contract. */
function createNode(contracts: ReadonlyMap<string, Contract>) {
  return {
    getHead: () => Promise.resolve(head),
    getHeader: () => Promise.resolve(head),
    getContractLogs: (
      { address }: { readonly address: string },
      { from, to }: { readonly from: number; readonly to: number },
    ) => {
      const last = Math.min(to, from + (contracts.get(address)?.maxRange ?? Infinity) - 1)
      const blocks = Array.from({ length: last - from + 1 }, (_, index) => from + index)
      const logs = blocks
        .filter((block) => block % 10 === 0)
        .map((block) => ({
          ...{ blockNumber: block, blockHash: toWord(block), logIndex: 0, time: 12 * block },
          ...{ transactionHash: toWord(block), address, data: toWord(1) },
          topics: [topics.transfer, toWord(0), toWord(testAddress(block))],
        }))
      return Promise.resolve({ logs, to: last })
    },
    multicall: (calls: readonly Call[]) =>
      Promise.resolve(
        calls.map(({ to }) => {
          const data = toWord(contracts.get(to)?.amount ?? 1n)
          return { status: 'success', data } as const
        }),
      ),
  }
}

const opened: HolderScans[] = []
afterEach(() => Promise.all(opened.splice(0).map((scans) => scans.close())))

function createScans(db: Kysely<Database>, node: ReturnType<typeof createNode>) {
  const scans = new HolderScans({
    chain: testChainConfig(1, { history: 'node', startBlock: 1, finalityDepth: 10 }),
    ...{ node, db, trail: new HeadTrail(1) },
    logger: { info: () => {}, warn: () => {} },
  })
  opened.push(scans)
  return scans
}

async function verify(scans: HolderScans, address: string) {
  await expect.poll(async () => (await scans.update(address, head))?.isVerified).toBe(true)
  return await scans.load(address)
}

describe('searches of holders', () => {
  it('read all amounts that are marked as read, while another response finds a difference', async () => {
    const { db } = await openSharedStore('pglite')
    const node = createNode(new Map([[token, { amount: 2n }]]))
    const scans: HolderScans = createScans(db, {
      ...node,
      async multicall(calls) {
        if ((await scans.load(token))?.amountsFrom === 'chain') {
          await scans.verifyAgain(token)
        }
        return await node.multicall(calls)
      },
    })
    await scans.add(token, 20)
    expect(await verify(scans, token)).toMatchObject({ amountsFrom: 'chain' })
    const holders = await loadHolderBatch(db, { chainId: 1, token }, undefined, 200)
    expect(holders).toHaveLength(100)
    expect(new Set(holders.map(({ amount }) => amount))).toEqual(new Set([2n]))
    expect(new Set(holders.map(({ readBlock }) => readBlock))).toEqual(new Set([head.number]))
  })

  it('of small tokens end while large ones continue', async () => {
    const { db } = await openSharedStore('pglite')
    const large = [testAddress(2), testAddress(3)]
    const contracts = large.map((address) => [address, { maxRange: 1 }] as const)
    const scans = createScans(db, createNode(new Map<string, Contract>(contracts)))
    for (const address of [...large, token]) {
      await scans.add(address, 20)
    }
    const updates = large.map((address) => scans.update(address, head))
    await verify(scans, token)
    for (const address of large) {
      expect(await scans.load(address)).toMatchObject({ isVerified: false })
    }
    await Promise.all(updates)
  })
})
