import { pino } from 'pino'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BalancesResponse, TokenHoldersResponse } from '@headwater/contract'
import { actorNamed, type DevnetChain, devnetOdd, startChain } from '@headwater/devnet'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { serveDevnet } from '../../test/serveDevnet.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { toHex } from '../store/hex.ts'
import type { Store } from '../store/Store.ts'
import { createAuditState } from './AuditState.ts'
import { auditRound } from './auditRound.ts'

const oddAbi = parseAbi([
  'function rebase(uint256 permille)',
  'function mintSilently(address to, uint256 amount)',
  'function lie(address from, address to, uint256 amount)',
])
const treasury = actorNamed('treasury').address
const [alice, bob] = [actorNamed('alice').address, actorNamed('bob').address]

let chain: DevnetChain
beforeAll(async () => {
  chain = await startChain({ scenario: devnetOdd, days: 1, live: false })
})
afterAll(() => chain.stop())

type Kind = DevnetChain['oddTokens'][number]['kind']
const dishonest: readonly Kind[] = ['fee-on-transfer', 'rebasing', 'silent-mint', 'lying']

function tokensOf(...kinds: Kind[]): Address[] {
  return chain.oddTokens.filter(({ kind }) => kinds.includes(kind)).map(({ address }) => address)
}

function call(to: Address, data: Hex) {
  return { from: treasury, to, data, value: 0n, gas: 200_000 }
}

function give(token: Address, to: Address, amount: bigint) {
  return call(
    token,
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  )
}

/** Something in one block that each dishonest token does not tell. */
async function act(): Promise<void> {
  const [toll, swell, hush, fib] = dishonest.map((kind) => tokensOf(kind)[0]) as Address[]
  if (!toll || !swell || !hush || !fib) {
    throw new Error('The scenario lacks an odd token')
  }
  await chain.transact([
    ...[toll, swell, hush, fib].flatMap((token) => [
      give(token, alice, 1_000_000n),
      give(token, bob, 500_000n),
    ]),
    call(swell, encodeFunctionData({ abi: oddAbi, functionName: 'rebase', args: [1_500n] })),
    call(hush, encodeFunctionData({ abi: oddAbi, functionName: 'mintSilently', args: [bob, 7n] })),
    call(fib, encodeFunctionData({ abi: oddAbi, functionName: 'lie', args: [alice, bob, 9n] })),
  ])
}

async function balanceOf(pairs: readonly (readonly [token: string, holder: string])[]) {
  const answers = await chain.rpc.batch(
    pairs.map(([to, holder]) => {
      const args = [holder as Hex] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
      return ['eth_call', [{ to, data }, 'latest']] as const
    }),
  )
  return answers.map((answer) => BigInt(answer as Hex))
}

/** Everybody whom the ledger knows of a token. */
async function holdersOf({ db }: Store, token: string): Promise<string[]> {
  const rows = await db
    .selectFrom('balances')
    .select(['holder', 'token'])
    .where('standard', '=', 20)
    .orderBy('holder')
    .execute()
  return rows.filter((row) => toHex(row.token) === token).map(({ holder }) => toHex(holder))
}

async function start(store: Store) {
  const service = await serveDevnet(store, [chain])
  const memory = createAuditState()
  const node = new ChainNode([chain.rpcUrl])
  const { db } = store
  const audited = { db, node, chainId: chain.chainId, logger: pino({ level: 'silent' }) }
  const ask = async (path: string): Promise<unknown> => {
    const response = await service.fetch(path)
    expect([path, response.status]).toEqual([path, 200])
    return await response.json()
  }
  return {
    ...service,
    /** Audits until there is nothing more to do at this block. */
    async audit() {
      await service.catchUp()
      for (let rounds = 0; rounds < 500; rounds++) {
        if ((await auditRound(audited, memory, 100)).isDone) {
          return
        }
      }
      throw new Error('The audit finds no end')
    },
    async wallet(holder: string) {
      const query = `chain_ids=${chain.chainId}&limit=1000`
      const body = (await ask(`/v1/evm/balances/${holder}?${query}`)) as BalancesResponse
      expect(body.errors).toBeUndefined()
      return new Map(body.balances.map(({ address, amount }) => [address, BigInt(amount)]))
    },
    async amount(token: string, holder: string) {
      const path = `/v1/evm/balances/${holder}/token/${token}?chain_ids=${chain.chainId}`
      return BigInt(((await ask(path)) as BalancesResponse).balances[0]?.amount ?? -1)
    },
    async holders(token: string) {
      const path = `/v1/evm/token-holders/${chain.chainId}/${token}`
      const { holders } = (await ask(path)) as TokenHoldersResponse
      return holders.map(
        ({ wallet_address, balance }) => [wallet_address, BigInt(balance)] as const,
      )
    },
  }
}

async function readFromChain({ db }: Store): Promise<string[]> {
  const rows = await db
    .selectFrom('tokens')
    .select('address')
    .where('amounts_from', '=', 'chain')
    .execute()
  return rows.map(({ address }) => toHex(address)).sort()
}

describeEachStore('the audit of real odd tokens', (openTestStore) => {
  it('finds those whose transfers do not tell what holders have, and answers what they have', async () => {
    const store = await openTestStore()
    const service = await start(store)
    await act()
    await service.audit()
    const odd = tokensOf(...dishonest).sort()
    expect(await readFromChain(store)).toEqual(odd)

    for (const token of [...odd, ...tokensOf('bytes32', 'plain')]) {
      const holders = await holdersOf(store, token)
      const truth = await balanceOf(holders.map((holder) => [token, holder]))
      expect(truth.filter((amount) => amount > 0n).length).toBeGreaterThan(2)
      const ranked = holders
        .map((holder, at) => [holder, truth[at] ?? 0n] as const)
        .filter(([, amount]) => amount > 0n)
        .sort(([a, of], [b, than]) => (of > than ? -1 : of < than ? 1 : a < b ? -1 : 1))
      expect(await service.holders(token)).toEqual(ranked)
      for (const [at, holder] of holders.entries()) {
        expect(await service.amount(token, holder)).toBe(truth[at])
        expect((await service.wallet(holder)).get(token) ?? 0n).toBe(truth[at])
      }
    }
    // Minted in silence to somebody of whom no transfer tells.
    const [hush] = tokensOf('silent-mint')
    const stranger = `0x${'9'.repeat(40)}` as const
    const args = [stranger, 5n] as const
    const mint = encodeFunctionData({ abi: oddAbi, functionName: 'mintSilently', args })
    await chain.transact([call(hush ?? zeroAddress, mint)])
    await service.catchUp()
    const [minted] = await balanceOf([[hush ?? zeroAddress, stranger]])
    expect(minted).toBeGreaterThan(0n)
    expect(await service.amount(hush ?? zeroAddress, stranger)).toBe(minted)
  })

  it('leaves honest tokens to the ledger, through reorgs of up to twenty blocks', async () => {
    const store = await openTestStore()
    const service = await start(store)
    const honest = new Set(chain.tokens.map(({ address }) => address.toLowerCase()))
    const weth = chain.token('WETH').address
    for (const depth of [1, 2, 3, 5, 8, 13, 20]) {
      await chain.deposit({ from: alice, amount: 10n ** 15n })
      await chain.transfer({ token: weth, from: alice, to: bob, amount: BigInt(depth) })
      await service.audit()
      await chain.mine(Math.max(0, depth - 2))
      await service.audit()
      await chain.reorg(depth)
      await chain.mine(1)
      await service.audit()
    }
    const found = await readFromChain(store)
    expect(found.filter((token) => honest.has(token))).toEqual([])
    expect(
      found.filter((token) => !tokensOf(...dishonest, 'garbage').includes(token as Hex)),
    ).toEqual([])
  })
})
