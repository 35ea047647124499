import fc from 'fast-check'
import { pino } from 'pino'
import { type Hex, zeroAddress } from 'viem'
import { expect, it, onTestFinished } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { FakeChain, type FakeEvent, rpcBlock } from '../../test/FakeChain.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { mockBalanceOf } from '../../test/mockBalanceOf.ts'
import { testAddress } from '../../test/seedChain.ts'
import { FakeNodeError, startFakeNode } from '../../test/startFakeNode.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { ChainConfig } from '../config/Config.ts'
import { rewindChain } from '../indexing/undo/rewindChain.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { fromHex, toHex } from '../store/hex.ts'
import type { Store } from '../store/Store.ts'
import { auditRound } from './auditRound.ts'
import { createAuditState } from './AuditState.ts'
import { loadAuditCoverage } from './loadAuditCoverage.ts'
import { loadAuditFigures } from './loadAuditFigures.ts'
import { resetAudit } from './resetAudit.ts'

const chainId = 7
const honest = testAddress(0x100)
const odd = testAddress(0x200)
const [alice, bob, carol, dave] = [1, 2, 3, 4].map(testAddress) as [Hex, Hex, Hex, Hex]

function move(token: Hex, from: Hex, to: Hex, amount: bigint): FakeEvent {
  return { type: 'transfer', token, from, to, amount }
}

/** Mints each token to alice, and transfers some from alice to bob. */
const initialBlocks = [
  [honest, odd].flatMap((token) => [
    move(token, zeroAddress, alice, 1000n),
    move(token, alice, bob, 100n),
  ]),
  [],
]

/** Starts a node and an indexer, which are stopped when the test ends. */
async function start(
  store: Store,
  blocks: readonly (readonly FakeEvent[])[] = initialBlocks,
  overrides: Partial<ChainConfig> = {},
) {
  const chain = new FakeChain()
  for (const events of blocks) {
    chain.mine(events)
  }
  const node = await startFakeNode(chain, chainId)
  mockBalanceOf(node)
  const config = testChainConfig(chainId, {
    rpcUrls: [node.url],
    pollIntervalMs: 10,
    finalityDepth: 30,
    ...overrides,
  })
  let indexer = indexTestChain(store, config)
  onTestFinished(async () => {
    await indexer.stop()
    await node.close()
  })
  const chainNode = new ChainNode([node.url])
  const lines: string[] = []
  const state = createAuditState()
  const audited = {
    db: store.db,
    node: chainNode as Pick<ChainNode, 'multicall'>,
    chainId,
    logger: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
  }
  return {
    chain,
    node,
    audited,
    config,
    /** Mines a block and waits until it is indexed. */
    async mine(...events: FakeEvent[]) {
      chain.mine(events)
      await indexer.reaches(chain.head.hash)
    },
    reaches: () => indexer.reaches(chain.head.hash),
    stop: () => indexer.stop(),
    restart: () => void (indexer = indexTestChain(store, config)),
    round: (budget = 50) => auditRound(audited, state, budget),
    /** Audits until nothing remains to be done at this block. */
    async audit(budget = 50) {
      for (let rounds = 0; rounds < 200; rounds++) {
        if ((await auditRound(audited, state, budget)).isDone) {
          return
        }
      }
      throw new Error('The audit does not end')
    },
    log: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

/** The tokens whose amounts are read from the chain. */
async function switchedTokens({ db }: Store): Promise<string[]> {
  const rows = await db
    .selectFrom('tokens')
    .select('address')
    .where('amounts_from', '=', 'chain')
    .orderBy('address')
    .execute()
  return rows.map(({ address }) => toHex(address))
}

/** The amounts that were read from the chain: holder, amount and block. */
async function readAmounts({ db }: Store) {
  const rows = await db
    .selectFrom('chain_amounts')
    .select(['holder', 'amount', 'block_number'])
    .orderBy('holder')
    .execute()
  return rows.map(({ holder, amount, block_number }) => [
    Number(toHex(holder)),
    amount === null ? null : BigInt(amount),
    block_number,
  ])
}

/** The block at which the ledger of a token was last compared with its contract. */
async function comparedBlock({ db }: Store, token: Hex): Promise<number | null> {
  const row = await db
    .selectFrom('tokens')
    .select('compared_block')
    .where('address', '=', fromHex(token))
    .executeTakeFirstOrThrow()
  return row.compared_block
}

async function metadataVersion({ db }: Store): Promise<number> {
  const row = await db.selectFrom('chains').select('metadata_version').executeTakeFirstOrThrow()
  return row.metadata_version
}

describeEachStore('auditRound', (openTestStore) => {
  it('keeps tokens whose ledger is right, and compares every holder once per block', async () => {
    const store = await openTestStore()
    const { audit, reaches, node, mine, log } = await start(store)
    await reaches()
    await audit()
    const calls = () => node.rpcRequests.filter(({ method }) => method === 'eth_call').length
    expect(calls()).toBeGreaterThanOrEqual(4)
    const before = calls()
    await audit()
    expect(calls()).toBe(before)
    await mine()
    await audit()
    expect(calls()).toBeGreaterThan(before)
    expect([await switchedTokens(store), log()]).toEqual([[], []])
    const [figures] = await loadAuditFigures(store.db)
    expect(figures).toMatchObject({ chainId, mismatched: 0, tokensReadFromChain: 0 })
    expect(figures?.checked).toBe(calls())
  })

  it.each([
    ['rebases without a log', ({ transferred }: { transferred: bigint }) => transferred * 2n],
    [
      'mints to a holder without a log',
      ({ holder, transferred }: { holder: Hex; transferred: bigint }) =>
        transferred + (holder === bob ? 1n : 0n),
    ],
  ])(
    'switches a token that %s to amounts of the chain in the second round',
    async (_, balanceOf) => {
      const store = await openTestStore()
      const { audit, round, reaches, node, log } = await start(store)
      await reaches()
      await audit()
      mockBalanceOf(node, (call) => (call.token === odd ? balanceOf(call) : call.transferred))
      const version = await metadataVersion(store)
      await store.db.updateTable('tokens').set({ audited_block: -1 }).execute()
      await round()
      expect(await switchedTokens(store)).toEqual([])
      await round()
      expect(await switchedTokens(store)).toEqual([odd])
      expect(await metadataVersion(store)).toBe(version + 1)
      await audit()
      expect(log()).toHaveLength(1)
      expect(log()[0]).toMatchObject({ token: odd, holder: expect.any(String), block: 2 })
      expect(log()[0]?.['ledger']).not.toBe(log()[0]?.['balanceOf'])
      expect(await loadAuditFigures(store.db)).toMatchObject([
        { mismatched: 1, tokensReadFromChain: 1 },
      ])
    },
  )

  it('stores at which block a token was compared, unless an amount differs or a reorg removes the block', async () => {
    const store = await openTestStore()
    const { audit, round, reaches, node, mine, chain } = await start(store)
    await reaches()
    expect(await comparedBlock(store, odd)).toBeNull()
    mockBalanceOf(node, ({ token, transferred }) => (token === odd ? undefined : transferred))
    await audit()
    expect(await comparedBlock(store, odd)).toBeNull()
    expect(await comparedBlock(store, honest)).toBe(2)

    mockBalanceOf(node)
    await mine()
    await audit()
    expect([await comparedBlock(store, odd), await comparedBlock(store, honest)]).toEqual([3, 3])
    mockBalanceOf(node, () => undefined)
    chain.reorg(1, [[]])
    await reaches()
    await audit()
    expect([await comparedBlock(store, odd), await comparedBlock(store, honest)]).toEqual([
      null,
      null,
    ])

    mockBalanceOf(node, ({ token, transferred }) => transferred + (token === odd ? 1n : 0n))
    await mine()
    await round()
    expect([await comparedBlock(store, odd), await comparedBlock(store, honest)]).toEqual([null, 4])
  })

  it('finds fees on transfer among the recent changes', async () => {
    const store = await openTestStore()
    const others = Array.from({ length: 60 }, (_, index) => testAddress(0x1000 + index))
    const mints = others.map((holder) => move(odd, zeroAddress, holder, 500n))
    const { audit, reaches, round, node, mine } = await start(store, [...initialBlocks, mints])
    await reaches()
    await audit()
    mockBalanceOf(node, ({ holder, transferred }) => (holder === carol ? 0n : transferred))
    await mine(move(odd, alice, carol, 7n))
    await round(6)
    await round(6)
    expect(await switchedTokens(store)).toEqual([odd])
  })

  it('switches a token with a negative amount without a call', async () => {
    const store = await openTestStore()
    const { audit, reaches, node, log } = await start(store, [[move(odd, carol, dave, 5n)]])
    mockBalanceOf(node, () => undefined)
    await reaches()
    await audit()
    expect(await switchedTokens(store)).toEqual([odd])
    expect(log()).toMatchObject([{ token: odd, holder: carol, ledger: '-5' }])
  })

  it('ignores reverts, malformed results and failures of the node', async () => {
    const store = await openTestStore()
    const { audit, reaches, round, node, mine } = await start(store)
    await reaches()
    mockBalanceOf(node, ({ token }) => (token === odd ? undefined : '0x'))
    await audit()
    mockBalanceOf(node, ({ token }) => (token === odd ? '0x01' : '0x'))
    await mine()
    await audit()
    await mine()
    node.lag = 1
    await expect(round()).rejects.toThrow('header not found')
    expect(await switchedTokens(store)).toEqual([])
    expect(await loadAuditFigures(store.db)).toMatchObject([{ checked: 0 }])
    node.lag = 0
    mockBalanceOf(node)
    await mine()
    await audit()
    expect((await loadAuditFigures(store.db))[0]?.checked).toBeGreaterThanOrEqual(4)
  })

  it('ignores a difference that the next round does not confirm', async () => {
    const store = await openTestStore()
    const { audit, reaches, round, node, mine } = await start(store)
    await reaches()
    mockBalanceOf(node, ({ transferred }) => transferred + 1n)
    await round()
    mockBalanceOf(node)
    await audit()
    mockBalanceOf(node, ({ transferred }) => transferred + 1n)
    await mine()
    await round()
    expect(await switchedTokens(store)).toEqual([])
  })

  it('finds a difference beside tokens whose calls fail each time', async () => {
    const store = await openTestStore()
    const budget = 20
    const failing = Array.from({ length: budget }, (_, index) => testAddress(0x300 + index))
    const minted = failing.map((token) => move(token, zeroAddress, alice, 1000n))
    const { reaches, round, node, mine } = await start(store, [minted, []])
    await reaches()
    let isFailing = false
    mockBalanceOf(node, ({ token, holder, transferred }) => {
      if (!failing.includes(token)) {
        return transferred + (holder === bob ? 1n : 0n)
      }
      if (isFailing) {
        throw new FakeNodeError(-32000, 'execution aborted (timeout = 5s)')
      }
      return transferred + 1n
    })
    await round(5 * budget)
    isFailing = true
    await mine(move(odd, zeroAddress, alice, 1000n), move(odd, alice, bob, 100n))
    for (let rounds = 0; rounds < 8; rounds++) {
      // Some consist of failing calls only.
      await round(budget).catch(() => {})
    }
    expect(await switchedTokens(store)).toEqual([odd])
  })

  it('reads the amounts of all holders of a switched token, new holders included', async () => {
    const store = await openTestStore()
    const { audit, reaches, node, mine, chain } = await start(store, [
      ...initialBlocks,
      [move(odd, bob, dave, 100n)],
    ])
    await reaches()
    mockBalanceOf(node, ({ token, holder, transferred }) =>
      token === odd ? (holder === alice ? undefined : transferred + 1n) : transferred,
    )
    await audit(5)
    expect(await readAmounts(store)).toEqual([
      [1, null, 3],
      [2, 1n, 3],
      [4, 101n, 3],
    ])
    await mine(move(odd, dave, carol, 30n))
    await audit(5)
    expect(await readAmounts(store)).toEqual([
      [1, null, 4],
      [2, 1n, 4],
      [3, 31n, 4],
      [4, 71n, 4],
    ])
    // Amounts of replaced blocks are read again, also when the new head is not higher.
    chain.reorg(1, [[]])
    await reaches()
    await audit(5)
    expect((await readAmounts(store)).filter(([holder]) => holder !== 1)).toEqual([
      [2, 1n, 4],
      [3, 1n, 4],
      [4, 101n, 4],
    ])
  })

  it('lists all holders again when the changes of some blocks were deleted', async () => {
    const store = await openTestStore()
    const { audit, reaches, node, chain } = await start(store)
    await reaches()
    mockBalanceOf(node, ({ token, transferred }) =>
      token === odd ? transferred + 1n : transferred,
    )
    await audit()
    chain.mine([move(odd, alice, carol, 1n)])
    for (let blocks = 0; blocks < 40; blocks++) {
      chain.mine([])
    }
    await reaches()
    await audit()
    expect((await readAmounts(store)).map(([holder]) => holder)).toEqual([1, 2, 3])
  })

  it('does not list holders again at a final block that can still be undone', async () => {
    const store = await openTestStore()
    const { audit, reaches, node, mine, chain } = await start(store)
    await reaches()
    mockBalanceOf(node, ({ token, transferred }) =>
      token === odd ? transferred + 1n : transferred,
    )
    await audit()
    // Listing them again would add the holder.
    await store.db.deleteFrom('chain_amounts').where('holder', '=', fromHex(bob)).execute()
    await mine(move(odd, alice, carol, 1n))
    // As the nodes of some chains report it.
    await store.db.updateTable('chains').set({ final_block: chain.head.number }).execute()
    await audit()
    expect((await readAmounts(store)).map(([holder]) => holder)).toEqual([1, 3])
  })

  it('audits again what it read in final blocks that were rewound, however far the chain is then', async () => {
    const store = await openTestStore()
    const { audit, round, reaches, node, chain, stop, restart } = await start(store, undefined, {
      finality: 'finalized',
      undoDepth: 8,
    })
    mockBalanceOf(node, ({ token, transferred }) => transferred + (token === odd ? 1n : 0n))
    const respond = node.transformResult
    node.transformResult = (method, params, result) =>
      params[0] === 'finalized' ? rpcBlock(chain.head) : respond(method, params, result)
    await reaches()
    const finalBlock = () =>
      store.db.selectFrom('chains').select('final_block').executeTakeFirstOrThrow()
    await expect.poll(finalBlock).toEqual({ final_block: 2 })
    await audit()
    expect(await switchedTokens(store)).toEqual([odd])
    expect(await comparedBlock(store, honest)).toBe(2)
    expect(await loadAuditCoverage(store.db)).toMatchObject([{ holders: 2, staleHolders: 0 }])

    await stop()
    await rewindChain(store.db, chainId, 1)
    expect(await comparedBlock(store, honest)).toBeNull()
    expect(await loadAuditCoverage(store.db)).toMatchObject([{ oldestSeconds: 0 }])
    chain.reorg(
      1,
      Array.from({ length: 40 }, () => []),
    )
    restart()
    await reaches()
    // Without calls, it only finds what is stale.
    await round(0)
    expect(await loadAuditCoverage(store.db)).toMatchObject([{ holders: 2, staleHolders: 2 }])
    await audit()
    const { number } = chain.head
    expect(await readAmounts(store)).toEqual([
      [1, 901n, number],
      [2, 101n, number],
    ])
    expect(await comparedBlock(store, honest)).toBe(number)
  })

  it('audits a token again after a reset', async () => {
    const store = await openTestStore()
    const { audit, reaches, node } = await start(store)
    await reaches()
    mockBalanceOf(node, ({ token, transferred }) =>
      token === odd ? transferred + 1n : transferred,
    )
    await audit()
    expect(await resetAudit(store.db, chainId, honest)).toBe(false)
    const version = await metadataVersion(store)
    expect(await resetAudit(store.db, chainId, odd)).toBe(true)
    expect(await metadataVersion(store)).toBe(version + 1)
    expect([await switchedTokens(store), await readAmounts(store)]).toEqual([[], []])
    await audit()
    expect(await switchedTokens(store)).toEqual([odd])
  })

  it('never switches an honest token, whatever reorg happens during a round', async () => {
    const store = await openTestStore()
    const holders = [alice, bob, carol, dave]
    const transfers = fc.array(
      fc.record({
        from: fc.constantFrom(zeroAddress, ...holders),
        to: fc.constantFrom(...holders),
        amount: fc.bigInt({ min: 0n, max: 9n }),
      }),
      { maxLength: 4 },
    )
    const { chain, node, reaches, audited } = await start(store, [
      ...initialBlocks,
      holders.map((holder) => move(honest, zeroAddress, holder, 10_000n)),
      ...Array.from({ length: 20 }, () => []),
    ])
    await reaches()
    const blocksOf = (blocks: readonly { from: Hex; to: Hex; amount: bigint }[][]) =>
      blocks.map((events) => events.map(({ from, to, amount }) => move(honest, from, to, amount)))
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.array(transfers, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('before call', 'after call', 'indexed before call'),
        fc.integer({ min: 0, max: 2 }),
        async (depth, blocks, reorgTime, lag) => {
          await reaches()
          const state = createAuditState()
          const replace = () => {
            const kept = chain.blocks
              .slice(-depth)
              .map(({ events }) => events)
              .slice(0, Math.max(0, depth - blocks.length))
            chain.reorg(depth, [...kept, ...blocksOf(blocks), []])
          }
          let isReplaced = false
          const multicall: ChainNode['multicall'] = async (...parameters) => {
            if (isReplaced) {
              return await audited.node.multicall(...parameters)
            }
            isReplaced = true
            if (reorgTime === 'after call') {
              const results = await audited.node.multicall(...parameters)
              replace()
              return results
            }
            replace()
            if (reorgTime === 'indexed before call') {
              await reaches()
            }
            node.lag = lag
            return await audited.node.multicall(...parameters)
          }
          for (let rounds = 0; rounds < 3; rounds++) {
            await auditRound({ ...audited, node: { multicall } }, state, 50).catch(() => {})
          }
          node.lag = 0
          chain.mine([])
          await reaches()
          for (let rounds = 0; rounds < 2; rounds++) {
            await auditRound(audited, state, 50)
          }
          expect(await switchedTokens(store)).toEqual([])
        },
      ),
      { numRuns: 12 },
    )
    expect((await loadAuditFigures(store.db))[0]?.checked).toBeGreaterThan(0)
  })
})
