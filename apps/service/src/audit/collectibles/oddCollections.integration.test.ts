import { pino } from 'pino'
import { type Address, encodeFunctionData, type Hex, numberToHex, padHex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  BalancesResponse,
  CollectiblesResponse,
  TokenHoldersResponse,
} from '@headwater/contract'
import {
  compileContracts,
  type DevnetChain,
  devnetOdd,
  getAccount,
  startChain,
} from '@headwater/devnet'
import { openMemoryStore } from '../../../test/openMemoryStore.ts'
import { type ServedDevnet, serveDevnet } from '../../../test/serveDevnet.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import type { Store } from '../../store/Store.ts'
import { auditCollectibles, createCollectibleAuditState } from './auditCollectibles.ts'

const abi = parseAbi([
  'function configure(bool is1155, bool reverts)',
  'function setOwner(uint256 id, address owner)',
  'function setAmount(address holder, uint256 id, uint256 amount)',
  'function log(address from, address to, uint256 id)',
  'function logSingle(address from, address to, uint256 id, uint256 amount)',
  'function mint(address to, uint256 id)',
  'function mintBatch(address to, uint256 first, uint256 last)',
])
const hybridAbi = parseAbi([
  'function configure(bool hasOwners)',
  'function mint(address to, uint256 amount, uint256 id)',
])
const treasury = getAccount('treasury').address
const [alice, bob, carol] = [1, 2, 3].map((digit) =>
  padHex(numberToHex(0xa110 + digit), { size: 20 }),
) as [Address, Address, Address]
const zero = padHex('0x', { size: 20 })

let chain: DevnetChain
let store: Store
beforeAll(async () => {
  store = await openMemoryStore()
  chain = await startChain({ scenario: devnetOdd, days: 0.1, live: false })
})
afterAll(async () => {
  await chain.stop()
  await store.close()
})

/** Sets the code of a test contract at an address. */
async function deploy(name: 'OddCollection' | 'HybridToken', number: number): Promise<Address> {
  const address = padHex(numberToHex(0xc0de00 + number), { size: 20 })
  const creation = (await compileContracts())[name]
  const code = await chain.rpc.call<Hex>('eth_call', { data: creation }, 'latest')
  await chain.rpc.call('anvil_setCode', address, code)
  return address
}

const call = (to: Address, data: Hex) => ({ from: treasury, to, data, value: 0n, gas: 5_000_000 })
const odd = (to: Address, functionName: string, ...args: unknown[]) =>
  call(to, encodeFunctionData({ abi, functionName, args } as never))
const hybrid = (to: Address, functionName: string, ...args: unknown[]) =>
  call(to, encodeFunctionData({ abi: hybridAbi, functionName, args } as never))

async function get<Body>(service: ServedDevnet, path: string): Promise<Body> {
  const response = await service.fetch(path)
  expect([path, response.status]).toEqual([path, 200])
  return (await response.json()) as Body
}

/** The NFTs of a wallet: contract, id and balance. */
async function getCollectibles(service: ServedDevnet, wallet: string): Promise<unknown[]> {
  const query = `chain_ids=${chain.chainId}&limit=100`
  const path = `/v1/evm/collectibles/${wallet}?${query}`
  const { entries } = await get<CollectiblesResponse>(service, path)
  return entries
    .map(({ contract_address, token_id, balance }) => [contract_address, token_id, balance])
    .sort()
}

async function getHolders(service: ServedDevnet, token: string): Promise<unknown[]> {
  const path = `/v1/evm/token-holders/${chain.chainId}/${token}`
  const { holders } = await get<TokenHoldersResponse>(service, path)
  return holders.map(({ wallet_address, balance }) => [wallet_address, balance])
}

async function getAmounts(service: ServedDevnet, wallet: string): Promise<unknown[]> {
  const query = `chain_ids=${chain.chainId}&filters=erc20`
  const { balances } = await get<BalancesResponse>(service, `/v1/evm/balances/${wallet}?${query}`)
  return balances.map(({ address, amount }) => [address, amount])
}

describe('odd collections', () => {
  const getService = shareFixture(async () => await serveDevnet(store, [chain]))

  it('have one owner of each token, also of tokens that are minted twice and of ERC2309', async () => {
    const collection = await deploy('OddCollection', 1)
    await chain.transact([
      odd(collection, 'mint', alice, 1n),
      odd(collection, 'mint', bob, 1n),
      odd(collection, 'mint', bob, 2n),
      odd(collection, 'mint', bob, 2n),
      odd(collection, 'mintBatch', alice, 10n, 12n),
    ])
    const service = getService()
    await service.catchUp()
    expect(await getCollectibles(service, alice)).toEqual(
      [10, 11, 12].map((id) => [collection, String(id), '1']),
    )
    expect(await getCollectibles(service, bob)).toEqual([
      [collection, '1', '1'],
      [collection, '2', '1'],
    ])
    expect(await getHolders(service, collection)).toEqual([
      [alice, '3'],
      [bob, '2'],
    ])
  })

  it('that are ERC20 tokens as well are classified by their behaviour', async () => {
    const indexed = await deploy('HybridToken', 2)
    const both = await deploy('HybridToken', 3)
    await chain.transact([
      hybrid(both, 'configure', true),
      hybrid(indexed, 'mint', carol, 100n, 7n),
      hybrid(both, 'mint', carol, 5000n, 7n),
    ])
    const service = getService()
    await service.catchUp()
    expect(await getCollectibles(service, carol)).toEqual([[both, '7', '1']])
    expect(await getAmounts(service, carol)).toEqual([
      [indexed, '100'],
      [both, '5000'],
    ])
    expect(await getHolders(service, both)).toEqual([[carol, '5000']])
  })

  it('are corrected where their logs differ from the chain, and a reorg undoes the corrections', async () => {
    const tokens = await deploy('OddCollection', 4)
    const items = await deploy('OddCollection', 5)
    const broken = await deploy('OddCollection', 6)
    const [dora, erik] = [0xd0, 0xe0].map((digit) => padHex(numberToHex(digit), { size: 20 })) as [
      Address,
      Address,
    ]
    const ids = [1n, 2n, 3n, 4n, 5n]
    await chain.transact([
      odd(items, 'configure', true, false),
      odd(broken, 'configure', false, true),
      ...ids.map((id) => odd(tokens, 'mint', dora, id)),
      ...ids.map((id) => odd(broken, 'mint', dora, id)),
      odd(items, 'logSingle', zero, dora, 1n, 10n),
      odd(items, 'setAmount', dora, 1n, 10n),
    ])
    const service = getService()
    const node = new ChainNode([chain.rpcUrl])
    const logger = pino({ level: 'silent' })
    const options = { db: store.db, node, chainId: chain.chainId, logger }
    const state = createCollectibleAuditState()
    const audit = async () => {
      await service.catchUp()
      for (let rounds = 0; rounds < 500; rounds++) {
        if ((await auditCollectibles(options, state, 50)).isDone) {
          return
        }
      }
      throw new Error('The audit does not end')
    }
    const expectOwned = async (wallet: Address, contract: Address, expected: unknown[]) => {
      const owned = (await getCollectibles(service, wallet)) as [string, ...unknown[]][]
      expect(owned.filter(([address]) => address === contract)).toEqual(
        expected.map((item) => [contract, ...(item as unknown[])]),
      )
    }
    await audit()
    const honest = ids.map((id) => [String(id), '1'])
    await expectOwned(dora, tokens, honest)
    await expectOwned(dora, items, [['1', '10']])
    // `ownerOf` returns nothing that contradicts the logs.
    await expectOwned(dora, broken, honest)

    await chain.transact([
      odd(tokens, 'setOwner', 1n, erik),
      odd(tokens, 'setOwner', 2n, zero),
      odd(tokens, 'log', dora, erik, 3n),
      odd(items, 'setAmount', dora, 1n, 4n),
      odd(items, 'logSingle', zero, erik, 2n, 7n),
    ])
    await audit()
    await expectOwned(dora, tokens, [
      ['3', '1'],
      ['4', '1'],
      ['5', '1'],
    ])
    await expectOwned(erik, tokens, [['1', '1']])
    await expectOwned(dora, items, [['1', '4']])
    await expectOwned(erik, items, [])
    await expectOwned(dora, broken, honest)
    expect(await getHolders(service, tokens)).toEqual([
      [dora, '3'],
      [erik, '1'],
    ])
    // The reorg undoes the block, and with it its corrections.
    await chain.reorg(1)
    await chain.mine(1)
    await service.catchUp()
    await expectOwned(dora, tokens, honest)
    await expectOwned(dora, items, [['1', '10']])

    // Later logs continue from a correction.
    await chain.transact([odd(tokens, 'setOwner', 1n, erik)])
    await audit()
    await chain.transact([odd(tokens, 'setOwner', 1n, dora), odd(tokens, 'log', erik, dora, 1n)])
    await service.catchUp()
    await expectOwned(dora, tokens, honest)
    expect(await getHolders(service, tokens)).toEqual([[dora, '5']])
  })

  it('are corrected where blocks are indexed during each round, unless these changed them', async () => {
    const collection = await deploy('OddCollection', 7)
    const [fred, gina] = [0xf0, 0x90].map((digit) => padHex(numberToHex(digit), { size: 20 })) as [
      Address,
      Address,
    ]
    await chain.transact([1n, 2n].map((id) => odd(collection, 'mint', fred, id)))
    await chain.transact([
      odd(collection, 'setOwner', 1n, gina),
      odd(collection, 'setOwner', 2n, gina),
    ])
    const service = getService()
    await service.catchUp()
    const node = new ChainNode([chain.rpcUrl])
    let rounds = 0
    const busyNode = {
      multicall: async (...parameters: Parameters<ChainNode['multicall']>) => {
        const results = await node.multicall(...parameters)
        // The second round would correct both. Fred's second token returns to him meanwhile.
        await (++rounds === 2
          ? chain.transact([
              odd(collection, 'setOwner', 2n, fred),
              odd(collection, 'log', fred, gina, 2n),
              odd(collection, 'log', gina, fred, 2n),
            ])
          : chain.mine(1))
        await service.catchUp()
        return results
      },
    }
    const logger = pino({ level: 'silent' })
    const options = { db: store.db, node: busyNode, chainId: chain.chainId, logger }
    const state = createCollectibleAuditState()
    while (rounds < 6) {
      await auditCollectibles(options, state, 1000)
    }
    expect(await getCollectibles(service, fred)).toEqual([[collection, '2', '1']])
    expect(await getCollectibles(service, gina)).toEqual([[collection, '1', '1']])
  })
})
