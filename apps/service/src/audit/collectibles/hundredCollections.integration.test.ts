import { sql } from 'kysely'
import { pino } from 'pino'
import { type Address, padHex } from 'viem'
import { describe, expect, inject, it } from 'vitest'
import type {
  BalancesResponse,
  CollectiblesResponse,
  TokenHoldersResponse,
} from '@headwater/contract'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { markAllNotable } from '../../../test/markAllNotable.ts'
import { onFixtureFinished, shareFixture } from '../../../test/shareFixture.ts'
import {
  type Collections,
  startCollections,
  type Transaction,
  wallet,
  wallets,
} from '../../../test/startCollections.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { fillPendingTokens } from '../../metadata/fillPendingTokens.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import type { Store } from '../../store/Store.ts'
import { auditLedger, createLedgerAuditState } from '../auditLedger.ts'

const unit = 10n ** 18n
const zero = padHex('0x', { size: 20 })
const ids = [1n, 2n, 3n]
const postgres = inject('postgres')
const kinds = (['pglite', 'postgres'] as const).filter(
  (kind) => kind === 'pglite' || !('missing' in postgres),
)

/** Ninety collections that log what they do, and ten that do not. */
async function startWorld() {
  const world = await startCollections()
  const honest = await world.deploy('OddCollection', 60)
  const items = await world.deploy('OddCollection', 30)
  const [doubled, silent, batch, lying, reverting, reminted, silentItems] = (await world.deploy(
    'OddCollection',
    7,
  )) as [Address, Address, Address, Address, Address, Address, Address]
  const [erc404] = (await world.deploy('Erc404Token')) as [Address]
  const [itemToken] = (await world.deploy('ItemToken')) as [Address]
  const [indexed] = (await world.deploy('HybridToken')) as [Address]
  const mints = (to: Address, offset: number) =>
    ids.map((id): Transaction => [to, 'mint', wallet(offset + Number(id)), id])
  await world.mine([
    ...[...items, silentItems].map((to): Transaction => [to, 'configure', true, false]),
    ...honest.flatMap((to, index): Transaction[] => [
      ...mints(to, index),
      [to, 'transfer', wallet(index + 1), wallet(index), 1n],
    ]),
    ...items.flatMap((to, index): Transaction[] => [
      [to, 'mintItem', wallet(index), 1n, 5n],
      [to, 'mintItem', wallet(index + 1), 1n, BigInt(index + 1)],
      [to, 'mintItem', wallet(index + 2), 2n, 1n],
    ]),
    ...[silent, lying, reverting, reminted].flatMap((to) => mints(to, 0)),
    [doubled, 'mint', wallet(0), 1n],
    [doubled, 'mint', wallet(1), 1n],
    [doubled, 'mint', wallet(2), 2n],
    [doubled, 'mint', wallet(2), 2n],
    [batch, 'mintBatch', wallet(0), 1n, 12n],
    [batch, 'transfer', wallet(0), wallet(1), 2n],
    [silentItems, 'mintItem', wallet(0), 1n, 10n],
    [silentItems, 'mintItem', wallet(1), 1n, 10n],
    [erc404, 'deal', wallet(5), 100n * unit],
    [erc404, 'move', wallet(5), wallet(0), (5n * unit) / 2n],
    [erc404, 'move', wallet(0), wallet(1), unit],
    [itemToken, 'mint', wallet(0), 700n],
    [itemToken, 'mintItem', wallet(0), 1n, 3n],
    [itemToken, 'mintItem', wallet(1), 1n, 4n],
    [indexed, 'mint', wallet(3), 100n, 7n],
  ])
  return {
    ...world,
    tokens: [erc404, itemToken, indexed],
    erc721: [
      ...[...honest, doubled, silent, lying, reminted].map((address) => ({ address, ids })),
      ...[batch, erc404].map((address) => ({
        address,
        ids: Array.from({ length: 20 }, (_, index) => BigInt(index)),
      })),
    ],
    erc1155: [...items, silentItems, itemToken],
    reverting,
    lying,
    /** Changes states without logs, logs what did not happen, and mints burned tokens again. */
    async deviate() {
      await world.mine([
        [silent, 'setOwner', 1n, wallet(4)],
        [silent, 'setOwner', 2n, zero],
        [reminted, 'transfer', wallet(1), zero, 1n],
        [reminted, 'setOwner', 2n, zero],
        [doubled, 'mint', wallet(3), 1n],
        [doubled, 'mint', wallet(4), 2n],
        [lying, 'log', wallet(1), wallet(2), 1n],
        [lying, 'log', zero, wallet(2), 9n],
        [lying, 'logSingle', zero, wallet(0), 3n, 7n],
        [lying, 'logSingle', zero, wallet(0), 8n, 7n],
        [silentItems, 'setAmount', wallet(0), 1n, 4n],
        [silentItems, 'setAmount', wallet(1), 1n, 12n],
        [silentItems, 'logSingle', zero, wallet(2), 1n, 9n],
        [silentItems, 'log', zero, wallet(3), 1n],
        [itemToken, 'setBalance', wallet(0), 500n],
        [itemToken, 'setAmount', wallet(1), 1n, 1n],
        [erc404, 'move', wallet(0), wallet(2), (3n * unit) / 2n],
        [batch, 'setOwner', 3n, wallet(5)],
        [reverting, 'configure', false, true],
        [indexed, 'mint', wallet(4), 9n, 8n],
      ])
      await world.mine([
        [reminted, 'mint', wallet(2), 1n],
        [reminted, 'setOwner', 2n, wallet(0)],
      ])
    },
  }
}

type World = Awaited<ReturnType<typeof startWorld>>

/** The owned NFTs and the amounts of all wallets at a block, as the contracts return them. */
async function readTruth(world: World, block: bigint) {
  const owned = new Map<string, string[][]>(wallets.map((address) => [address, []]))
  const counts = new Map<string, Map<string, number>>()
  const add = (holder: string, contract: string, id: bigint, amount: bigint) =>
    void (amount > 0n && owned.get(holder)?.push([contract, String(id), String(amount)]))
  await Promise.all([
    ...world.erc721.flatMap(({ address, ids }) =>
      ids.map(async (id) => {
        const owner = await world.ownerOf(block, address, id)
        add(owner, address, id, 1n)
        if (owner !== zero) {
          const ofContract = counts.get(address) ?? new Map<string, number>()
          counts.set(address, ofContract.set(owner, (ofContract.get(owner) ?? 0) + 1))
        }
      }),
    ),
    ...world.erc1155.flatMap((address) =>
      wallets.flatMap((holder) =>
        [1n, 2n].map(async (id) =>
          add(holder, address, id, await world.balanceOf(block, address, holder, id)),
        ),
      ),
    ),
  ])
  // Where `ownerOf` reverts, the owners of the logs remain.
  for (const id of ids) {
    add(wallet(Number(id)), world.reverting, id, 1n)
  }
  const amounts = new Map<string, Map<string, bigint>>()
  for (const token of world.tokens) {
    const ofToken = new Map<string, bigint>()
    amounts.set(token, ofToken)
    for (const holder of wallets) {
      ofToken.set(holder, await world.balanceOf(block, token, holder))
    }
  }
  return { owned, counts, amounts }
}

/** Indexes, audits and serves the world in a store. */
async function startAudit(kind: Store['kind'], world: Collections) {
  const store = await openSharedStore(kind)
  const { chainId, node: anvil } = world
  const config = testChainConfig(chainId, { rpcUrls: [anvil.url], pollIntervalMs: 20 })
  const indexer = indexTestChain(store, config)
  onFixtureFinished(indexer.stop)
  const service = await startTestService(store, [config])
  const node = new ChainNode([anvil.url])
  const state = createLedgerAuditState()
  const options = { db: store.db, node, chainId, logger: pino({ level: 'silent' }) }
  const get = async <Body>(path: string) => {
    const response = await service.fetch(path)
    expect([path, response.status]).toEqual([path, 200])
    const block = BigInt(response.headers.get('X-Block-Numbers')?.split('=')[1] ?? -1)
    return { body: (await response.json()) as Body, block }
  }
  return {
    /**
     * Indexes up to the head, and audits until nothing remains to be done.
     *
     * @returns the calls of this audit, and the amounts of the ledger, past holders included.
     */
    async audit() {
      await indexer.reaches(await world.headHash())
      while ((await fillPendingTokens(store.db, node, chainId)) > 0) {
        // Until no token is pending.
      }
      await markAllNotable(store)
      let calls = 0
      for (let isDone = false; !isDone;) {
        const round = await auditLedger(options, state, 60)
        calls += round.calls
        isDone = round.isDone
      }
      const { rows } = await sql<{ count: number }>`
        select (select count(*) from collectible_balances)::int
          + (select count(*) from balances where token > 0)::int as count`.execute(store.db)
      return { calls, rows: rows[0]?.count ?? 0 }
    },
    async getCollectibles(holder: string) {
      const rows: string[][] = []
      for (let offset = ''; ;) {
        const { body, block } = await get<CollectiblesResponse>(
          `/v1/evm/collectibles/${holder}?chain_ids=${chainId}&limit=40${offset}`,
        )
        rows.push(
          ...body.entries.map((nft) => [nft.contract_address, nft.token_id, nft.balance ?? '']),
        )
        if (body.next_offset === undefined) {
          return { rows, block }
        }
        offset = `&offset=${body.next_offset}`
      }
    },
    async getBalances(path: string) {
      const { body, block } = await get<BalancesResponse>(
        `/v1/evm/balances/${path}?chain_ids=${chainId}`,
      )
      expect(body.errors).toBeUndefined()
      const tokens = body.balances.filter(({ address }) => address !== 'native')
      return { rows: tokens.map(({ address, amount }) => [address, amount]), block }
    },
    async getHolders(token: string) {
      const { body, block } = await get<TokenHoldersResponse>(
        `/v1/evm/token-holders/${chainId}/${token}`,
      )
      return { rows: body.holders.map((row) => [row.wallet_address, row.balance]), block }
    },
  }
}

type Audit = Awaited<ReturnType<typeof startAudit>>

/** Expects every listing and every single answer to equal the contracts at the block of the answer. */
async function expectTruth(world: World, audit: Audit): Promise<void> {
  const head = BigInt(await world.node.call<string>('eth_blockNumber'))
  const { owned, counts, amounts } = await readTruth(world, head)
  const sorted = (rows: readonly (readonly string[])[]) => rows.map(String).sort()
  const holders = (of: ReadonlyMap<string, bigint | number>) =>
    sorted([...of].filter(([, amount]) => amount > 0).map((row) => row.map(String)))
  for (const holder of wallets) {
    const nfts = await audit.getCollectibles(holder)
    expect([holder, nfts.block, ...sorted(nfts.rows)]).toEqual([
      holder,
      head,
      ...sorted(owned.get(holder) ?? []),
    ])
    const held = [...amounts].map(([token, of]) => [token, of.get(holder) ?? 0n] as const)
    const balances = await audit.getBalances(holder)
    expect([holder, ...sorted(balances.rows)]).toEqual([holder, ...holders(new Map(held))])
    for (const [token, amount] of held) {
      const single = await audit.getBalances(`${holder}/token/${token}`)
      expect(single).toEqual({ rows: [[token, String(amount)]], block: head })
    }
  }
  for (const [token, of] of [...counts, ...amounts]) {
    // An NFT of a token that is an ERC20 as well has holders by amount.
    const expected = amounts.get(token) ?? of
    expect([token, ...sorted((await audit.getHolders(token)).rows)]).toEqual([
      token,
      ...holders(expected),
    ])
  }
}

describe('a hundred collections, ten of which deviate from their logs', () => {
  const getFixture = shareFixture(async () => {
    const world = await startWorld()
    return { world, audits: await Promise.all(kinds.map((kind) => startAudit(kind, world))) }
  })

  it('equal their contracts after the audit, in every listing and single answer', async () => {
    const { world, audits } = getFixture()
    for (const audit of audits) {
      await audit.audit()
      await expectTruth(world, audit)
    }
    await world.deviate()
    for (const audit of audits) {
      const { calls, rows } = await audit.audit()
      // The rotation is in progress, and starts once again.
      expect(calls).toBeLessThanOrEqual(2 * rows)
      await expectTruth(world, audit)
    }
  })
})
