import { type Kysely, sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { ChainConfig } from '../../config/Config.ts'
import { topics } from '../../indexing/decode/topics.ts'
import type { Call } from '../../rpc/methods/Call.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import { HeadTrail } from '../HeadTrail.ts'
import { batchSize } from './auditHolders.ts'
import { loadHolderBatch } from './holderRows.ts'
import { HolderScans } from './HolderScans.ts'

const toWord = (value: bigint | number | string) =>
  `0x${(typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')}`
const head = {
  number: 1_000,
  hash: toWord(1_000),
  parentHash: toWord(999),
  time: 12_000,
  logsBloom: undefined,
  receiptsRoot: undefined,
  transactionHashes: [],
  gasUsed: 0,
}
const token = testAddress(1)

interface Contract {
  /** The most blocks of a response with logs. */
  readonly maxRange?: number
  /** The amount of each holder after a transfer of 1. */
  readonly amount?: bigint
  /** The block of a deposit of 5 without a transfer, and its account. */
  readonly deposit?: { readonly block: number; readonly account: string }
}

/** A chain with a mint of 1 in each tenth block, to a holder of its own, by each contract. */
function createNode(contracts: ReadonlyMap<string, Contract>) {
  return {
    getHead: () => Promise.resolve(head),
    getHeader: () => Promise.resolve(head),
    getContractLogs: (
      { address: contract }: { readonly address: string | readonly string[] },
      { from, to }: { readonly from: number; readonly to: number },
    ) => {
      const address = String(contract)
      const last = Math.min(to, from + (contracts.get(address)?.maxRange ?? Infinity) - 1)
      const blocks = Array.from({ length: last - from + 1 }, (_, index) => from + index)
      const logs = blocks
        .filter((block) => block % 10 === 0)
        .map((block) => ({
          blockNumber: block,
          blockHash: toWord(block),
          logIndex: 0,
          time: 12 * block,
          transactionHash: toWord(block),
          address,
          data: toWord(1),
          topics: [topics.transfer, toWord(0), toWord(testAddress(block))],
        }))
      const { deposit } = contracts.get(address) ?? {}
      const deposits =
        deposit && deposit.block >= from && deposit.block <= last
          ? [
              {
                blockNumber: deposit.block,
                blockHash: toWord(deposit.block),
                logIndex: 1,
                time: 0,
                transactionHash: toWord(deposit.block),
                address,
                data: toWord(5),
                topics: [topics.deposit, toWord(deposit.account)],
              },
            ]
          : []
      return Promise.resolve({ logs: [...logs, ...deposits], to: last })
    },
    multicall: (calls: readonly Call[]) =>
      Promise.resolve(
        calls.map(({ to, data: input }) => {
          const { amount = 1n, deposit } = contracts.get(to) ?? {}
          const isDepositor = deposit && input.endsWith(deposit.account.slice(2))
          return { status: 'success', data: toWord(isDepositor ? 5n : amount) } as const
        }),
      ),
  }
}

const opened: HolderScans[] = []
afterEach(() => Promise.all(opened.splice(0).map((scans) => scans.close())))

function createScans(
  db: Kysely<Database>,
  node: ReturnType<typeof createNode>,
  overrides: Partial<ChainConfig> = {},
) {
  const options = { history: 'node', startBlock: 1, finalityDepth: 10, ...overrides } as const
  const scans = new HolderScans({
    chain: testChainConfig(1, options),
    finalBlock: { getNumber: (number) => number - options.finalityDepth },
    node,
    db,
    trail: new HeadTrail(1),
    logger: { info: () => {}, warn: () => {} },
  })
  opened.push(scans)
  return scans
}

async function verify(scans: HolderScans, address: string) {
  await expect.poll(async () => (await scans.update(address, head, 1))?.isVerified).toBe(true)
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
          await scans.verifyAgain(token, 1)
        }
        return await node.multicall(calls)
      },
    })
    await scans.add(token, 20, 1)
    expect(await verify(scans, token)).toMatchObject({ amountsFrom: 'chain' })
    const holders = await loadHolderBatch(db, { chainId: 1, token }, undefined, 200)
    expect(holders).toHaveLength(100)
    expect(new Set(holders.map(({ amount }) => amount))).toEqual(new Set([2n]))
    expect(new Set(holders.map(({ readBlock }) => readBlock))).toEqual(new Set([head.number]))
  })

  it('read all amounts at one block, and replace those of the last round together', async () => {
    const { db } = await openSharedStore('pglite')
    const node = createNode(new Map([[token, { amount: 2n }]]))
    let number = head.number
    const scans = createScans(db, {
      ...node,
      getHead: () => Promise.resolve({ ...head, number }),
      multicall: async (calls) => {
        const results = await node.multicall(calls)
        number += calls.length === batchSize ? 1 : 0
        return results
      },
    })
    await scans.add(token, 20, 1)
    await verify(scans, token)
    number++
    await sql`
      insert into scanned_holders (chain_id, token, holder, amount)
      select 1, ${fromHex(token)}::bytea, decode(lpad(to_hex(number), 40, '0'), 'hex'), 0
      from generate_series(2001, 3200) as number`.execute(db)
    const readBlocks = async () => {
      const holders = await loadHolderBatch(db, { chainId: 1, token }, undefined, 2_000)
      return new Set(holders.map(({ readBlock }) => readBlock))
    }
    await expect
      .poll(async () => {
        await scans.update(token, { ...head, number }, 1)
        return [...(await readBlocks())].filter((block) => block === undefined).length
      })
      .toBe(0)
    const found = await readBlocks()
    expect(found.size).toBe(1)
  })

  it('of an API key are limited in number', async () => {
    const { db } = await openSharedStore('pglite')
    const called = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const node = createNode(new Map())
    const searches = { ...testChainConfig(1).searches, tokensPerKey: 1 }
    const scans = createScans(
      db,
      {
        ...node,
        getContractLogs: async (filter, range) => {
          called.resolve()
          await released.promise
          return await node.getContractLogs(filter, range)
        },
      },
      { searches },
    )
    const other = testAddress(2)
    await scans.add(token, 20, 1)
    await scans.add(other, 20, 1)
    const update = scans.update(token, head, 1)
    await called.promise
    await expect(scans.add(testAddress(3), 20, 1)).rejects.toThrow(/tokensPerKey/)
    await expect(scans.update(other, head, 1)).rejects.toThrow('1 searches in progress')
    expect(await scans.load(testAddress(3))).toBeUndefined()
    const ofOther = scans.update(other, head, 2)
    released.resolve()
    await Promise.all([update, ofOther])
    await expect.poll(async () => (await scans.load(other))?.isVerified).toBe(true)
  })

  it('pause when no client requests the token', async () => {
    const { db } = await openSharedStore('pglite')
    const contracts = new Map([[token, { maxRange: 400 }]])
    const node = createNode(contracts)
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => clock.mockRestore())
    const slow: typeof node = {
      ...node,
      getContractLogs: async (filter, range) => {
        now += 100
        return await node.getContractLogs(filter, range)
      },
    }
    const searches = { ...testChainConfig(1).searches, pauseAfterMinutes: 0.001 }
    const scans = createScans(db, slow, { searches })
    await scans.add(token, 20, 1)
    await scans.update(token, head, 1)
    // The search ends after its first step, or once it has searched all blocks.
    const countEnded = async () => {
      const ended = db
        .selectFrom('holder_scans')
        .select('token')
        .where('scanned_block', '>', 0)
        .where('claimed_until', '=', sql<Date>`'-infinity'`)
      return (await ended.execute()).length
    }
    await expect.poll(countEnded).toBe(1)
    expect(await scans.load(token)).toMatchObject({ scannedBlock: 400, isVerified: false })
    clock.mockRestore()
    await verify(createScans(db, slow), token)
  })

  it('find the holders of earlier blocks once startBlock is lowered', async () => {
    const { db } = await openSharedStore('pglite')
    const node = createNode(new Map([[token, { maxRange: 300 }]]))
    const before = createScans(db, node, { startBlock: 701 })
    await before.add(token, 20, 1)
    await verify(before, token)
    await before.close()
    const ranges: number[] = []
    const lowered = createScans(db, {
      ...node,
      getContractLogs: async (filter, range) => {
        ranges.push(range.from)
        return await node.getContractLogs(filter, range)
      },
    })
    const scan = await lowered.load(token)
    expect(scan && lowered.isComplete(scan, head)).toBe(false)
    await expect
      .poll(async () => {
        const found = await lowered.update(token, head, 1)
        return found && lowered.isComplete(found, head)
      })
      .toBe(true)
    expect(await lowered.load(token)).toMatchObject({ startBlock: 1, amountsFrom: 'ledger' })
    const holders = await loadHolderBatch(db, { chainId: 1, token }, undefined, 200)
    expect(holders).toHaveLength(99)
    expect(holders.every(({ amount, firstInBlock }) => amount === 1n && firstInBlock)).toBe(true)
    // Nothing that was searched before, but the latest blocks.
    expect(ranges.filter((from) => from > 700 && from <= 990)).toEqual([])
    const { rows } = await sql<{ row_count: number }>`select row_count from holder_scans`.execute(
      db,
    )
    expect(Number(rows[0]?.row_count)).toBe(99)
  })

  it('find an account that deposited without a transfer after the amounts were compared', async () => {
    const { db } = await openSharedStore('pglite')
    const account = testAddress(0xdead)
    const contract: { deposit?: { block: number; account: string } } = {}
    const scans = createScans(db, createNode(new Map([[token, contract]])))
    await scans.add(token, 20, 1)
    await verify(scans, token)
    contract.deposit = { block: 1_020, account }
    const at = (number: number) => ({ ...head, number, hash: toWord(number) })
    const later = at(1_040)
    const node = createNode(new Map([[token, contract]]))
    const next = createScans(db, { ...node, getHead: () => Promise.resolve(later) })
    await expect.poll(async () => (await next.update(token, later, 1))?.amountsFrom).toBe('chain')
    await expect.poll(async () => (await next.update(token, later, 1))?.isVerified).toBe(true)
    const holders = await loadHolderBatch(db, { chainId: 1, token }, undefined, 200)
    expect(holders.find(({ holder }) => holder === account)).toMatchObject({ amount: 5n })
  })

  it('find a wrong amount of an account that only the latest blocks name', async () => {
    const { db } = await openSharedStore('pglite')
    const node = createNode(new Map())
    const latest = testAddress(head.number).slice(2)
    const scans = createScans(db, {
      ...node,
      multicall: async (calls) => {
        const results = await node.multicall(calls)
        return results.map((result, index) =>
          calls[index]?.data.endsWith(latest) ? { ...result, data: toWord(2) } : result,
        )
      },
    })
    await scans.add(token, 20, 1)
    expect(await verify(scans, token)).toMatchObject({ amountsFrom: 'chain' })
  })

  it('compare all amounts where a response found a difference meanwhile', async () => {
    const { db } = await openSharedStore('pglite')
    const first = createScans(db, createNode(new Map()))
    await first.add(token, 20, 1)
    await verify(first, token)
    const later = { ...head, number: 1_040, hash: toWord(1_040) }
    const node = createNode(new Map([[token, { amount: 2n }]]))
    let isFound = false
    const scans: HolderScans = createScans(db, {
      ...node,
      getHead: () => Promise.resolve(later),
      getContractLogs: async (filter, range) => {
        if (!isFound) {
          isFound = true
          await scans.verifyAgain(token, 1)
        }
        return await node.getContractLogs(filter, range)
      },
    })
    await scans.update(token, later, 1)
    await expect.poll(async () => (await scans.load(token))?.amountsFrom).toBe('chain')
  })

  it('of small tokens end while large ones continue', async () => {
    const { db } = await openSharedStore('pglite')
    const large = [testAddress(2), testAddress(3)]
    const contracts = large.map((address) => [address, { maxRange: 1 }] as const)
    const scans = createScans(db, createNode(new Map<string, Contract>(contracts)))
    for (const address of [...large, token]) {
      await scans.add(address, 20, 1)
    }
    const updates = large.map((address) => scans.update(address, head, 1))
    await verify(scans, token)
    for (const address of large) {
      expect(await scans.load(address)).toMatchObject({ isVerified: false })
    }
    await Promise.all(updates)
  })
})
