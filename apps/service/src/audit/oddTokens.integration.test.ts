import { pino } from 'pino'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import type { BalancesResponse, TokenHoldersResponse } from '@headwater/contract'
import { type DevnetChain, devnetOdd, getAccount, startChain } from '@headwater/devnet'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { readLedger } from '../../test/readLedger.ts'
import { serveDevnet } from '../../test/serveDevnet.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { toHex } from '../store/hex.ts'
import { openStore } from '../store/openStore.ts'
import type { Store } from '../store/Store.ts'
import { auditRound } from './auditRound.ts'
import { createAuditState } from './AuditState.ts'

const oddAbi = parseAbi([
  'function rebase(uint256 permille)',
  'function mintSilently(address to, uint256 amount)',
  'function lie(address from, address to, uint256 amount)',
])
const treasury = getAccount('treasury').address
const alice = getAccount('alice').address
const bob = getAccount('bob').address
const postgres = inject('postgres')
const kinds = 'missing' in postgres ? 'PGlite' : 'PGlite and PostgreSQL'

let chain: DevnetChain
/** PGlite, and PostgreSQL where it is available. Both index and audit the same chain. */
let stores: Store[]
let dropDatabase = async () => {}
beforeAll(async () => {
  const starting = startChain({ scenario: devnetOdd, days: 1, live: false })
  stores = [await openMemoryStore()]
  if (!('missing' in postgres)) {
    const { url, drop } = await createTestDatabase()
    dropDatabase = drop
    stores.push(await openStore({ databaseUrl: url }))
  }
  chain = await starting
})
afterAll(async () => {
  await chain.stop()
  await Promise.all(stores.map((store) => store.close()))
  await dropDatabase()
})

type Kind = DevnetChain['oddTokens'][number]['kind']
const dishonest = ['fee-on-transfer', 'rebasing', 'silent-mint', 'lying'] as const

function tokensOf(...kinds: readonly Kind[]): Address[] {
  return chain.oddTokens.filter(({ kind }) => kinds.includes(kind)).map(({ address }) => address)
}

function tokenOf(kind: Kind): Address {
  const [token] = tokensOf(kind)
  if (!token) {
    throw new Error(`The scenario has no ${kind} token`)
  }
  return token
}

function call(to: Address, data: Hex) {
  return { from: treasury, to, data, value: 0n, gas: 200_000 }
}

function transfer(token: Address, to: Address, amount: bigint) {
  return call(
    token,
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  )
}

function mintSilently(to: Address, amount: bigint) {
  const data = encodeFunctionData({ abi: oddAbi, functionName: 'mintSilently', args: [to, amount] })
  return call(tokenOf('silent-mint'), data)
}

/** Mines a block in which the balances of each dishonest token change otherwise than its logs state. */
async function mineDishonestTransfers(): Promise<void> {
  const rebase = encodeFunctionData({ abi: oddAbi, functionName: 'rebase', args: [1_500n] })
  const lie = encodeFunctionData({ abi: oddAbi, functionName: 'lie', args: [alice, bob, 9n] })
  await chain.transact([
    ...dishonest.flatMap((kind) => [
      transfer(tokenOf(kind), alice, 1_000_000n),
      transfer(tokenOf(kind), bob, 500_000n),
    ]),
    call(tokenOf('rebasing'), rebase),
    mintSilently(bob, 7n),
    call(tokenOf('lying'), lie),
  ])
}

async function getBalances(token: string, holders: readonly string[]): Promise<bigint[]> {
  const results = await chain.rpc.batch(
    holders.map((holder) => {
      const args = [holder as Hex] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
      return ['eth_call', [{ to: token, data }, 'latest']] as const
    }),
  )
  return results.map((result) => BigInt(result as Hex))
}

/** Loads all holders of a token according to the ledger. */
async function loadHolders({ db }: Store, token: string): Promise<string[]> {
  const { chain_id } = await db.selectFrom('chains').select('chain_id').executeTakeFirstOrThrow()
  const rows = await readLedger(db, chain_id)
  return rows
    .filter((row) => row.standard === 20 && row.token === token)
    .map(({ holder }) => holder)
    .sort()
}

/** Loads the tokens whose amounts are read from the chain. */
async function loadSwitchedTokens({ db }: Store): Promise<string[]> {
  const rows = await db
    .selectFrom('tokens')
    .select('address')
    .where('amounts_from', '=', 'chain')
    .orderBy('address')
    .execute()
  return rows.map(({ address }) => toHex(address))
}

/** Indexes, audits and serves the chain in a store, until the test ends. */
async function startAudit(store: Store) {
  const service = await serveDevnet(store, [chain])
  const state = createAuditState()
  const node = new ChainNode([chain.rpcUrl])
  const { db } = store
  const options = { db, node, chainId: chain.chainId, logger: pino({ level: 'silent' }) }
  const get = async (path: string): Promise<unknown> => {
    const response = await service.fetch(path)
    expect([path, response.status]).toEqual([path, 200])
    return await response.json()
  }
  return {
    store,
    catchUp: service.catchUp,
    /** Audits until nothing remains to be done at this block. */
    async audit() {
      await service.catchUp()
      for (let rounds = 0; rounds < 500; rounds++) {
        if ((await auditRound(options, state, 100)).isDone) {
          return
        }
      }
      throw new Error('The audit does not end')
    },
    async getWallet(holder: string) {
      const query = `chain_ids=${chain.chainId}&limit=1000`
      const body = (await get(`/v1/evm/balances/${holder}?${query}`)) as BalancesResponse
      expect(body.errors).toBeUndefined()
      return new Map(body.balances.map(({ address, amount }) => [address, BigInt(amount)]))
    },
    async getAmount(token: string, holder: string) {
      const path = `/v1/evm/balances/${holder}/token/${token}?chain_ids=${chain.chainId}`
      return BigInt(((await get(path)) as BalancesResponse).balances[0]?.amount ?? -1)
    },
    async getHolders(token: string) {
      const path = `/v1/evm/token-holders/${chain.chainId}/${token}`
      const { holders } = (await get(path)) as TokenHoldersResponse
      return holders.map(
        ({ wallet_address, balance }) => [wallet_address, BigInt(balance)] as const,
      )
    },
  }
}

type Audit = Awaited<ReturnType<typeof startAudit>>

/** Expects the responses about a token to equal its contract, whatever its ledger is. */
async function expectBalances(audits: readonly Audit[], token: string): Promise<void> {
  const holders = await loadHolders((audits[0] as Audit).store, token)
  const balances = await getBalances(token, holders)
  expect(balances.filter((balance) => balance > 0n).length).toBeGreaterThan(2)
  const ranked = holders
    .map((holder, index) => [holder, balances[index] ?? 0n] as const)
    .filter(([, balance]) => balance > 0n)
    .sort(([a, of], [b, than]) => (of > than ? -1 : of < than ? 1 : a < b ? -1 : 1))
  for (const { store, getHolders, getAmount, getWallet } of audits) {
    expect(await loadHolders(store, token)).toEqual(holders)
    expect(await getHolders(token)).toEqual(ranked)
    const amounts = holders.map((holder) => getAmount(token, holder))
    expect(await Promise.all(amounts)).toEqual(balances)
    const wallets = await Promise.all(holders.map(getWallet))
    expect(wallets.map((wallet) => wallet.get(token) ?? 0n)).toEqual(balances)
  }
}

it(`switches exactly the dishonest tokens to amounts of the chain, in ${kinds}`, async () => {
  const audits = await Promise.all(stores.map(startAudit))
  const auditAll = () => Promise.all(audits.map(({ audit }) => audit()))

  await mineDishonestTransfers()
  await auditAll()
  const odd = tokensOf(...dishonest).sort()
  for (const { store } of audits) {
    expect(await loadSwitchedTokens(store)).toEqual(odd)
  }
  for (const token of [...odd, ...tokensOf('bytes32', 'plain')]) {
    await expectBalances(audits, token)
  }

  // The holder appears in no log of the token.
  const silentHolder = `0x${'9'.repeat(40)}` as const
  const token = tokenOf('silent-mint')
  await chain.transact([mintSilently(silentHolder, 5n)])
  const [minted] = await getBalances(token, [silentHolder])
  expect(minted).toBeGreaterThan(0n)
  for (const { catchUp, audit, getAmount, getHolders, getWallet } of audits) {
    await catchUp()
    expect(await getHolders(token)).not.toContainEqual([silentHolder, minted])
    expect((await getWallet(silentHolder)).get(token)).toBe(minted)
    await vi.waitFor(
      async () => {
        await audit()
        expect(await getHolders(token)).toContainEqual([silentHolder, minted])
      },
      { timeout: 30_000 },
    )
    expect(await getAmount(token, silentHolder)).toBe(minted)
  }

  // Reorgs do not make an honest token look dishonest.
  const weth = chain.token('WETH').address
  for (const depth of [1, 2, 3, 5, 8, 13, 20]) {
    await chain.deposit({ from: alice, amount: 10n ** 15n })
    await chain.transfer({ token: weth, from: alice, to: bob, amount: BigInt(depth) })
    await auditAll()
    if (depth > 2) {
      await chain.mine(depth - 2)
      await auditAll()
    }
    await chain.reorg(depth)
    await chain.mine(1)
    await auditAll()
  }
  const expected = tokensOf(...dishonest, 'garbage').map(String)
  for (const { store } of audits) {
    const switched = await loadSwitchedTokens(store)
    expect(switched.filter((address) => !expected.includes(address))).toEqual([])
  }
})
