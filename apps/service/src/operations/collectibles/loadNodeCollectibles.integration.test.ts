import { type Address, zeroAddress } from 'viem'
import { expect, it } from 'vitest'
import type { CollectiblesResponse } from '@headwater/contract'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import {
  startCollections,
  type Transaction,
  wallet,
  wallets,
} from '../../../test/startCollections.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { chainPresets } from '../../config/chainPresets.ts'

const ids = [0n, 1n, 2n, 3n, 4n, 5n]

it('lists NFTs of odd collections as their contracts have them', async () => {
  const world = await startCollections()
  const [odd, hybrid, erc20] = (await Promise.all(
    (['OddCollection', 'HybridToken', 'HybridToken'] as const).map(async (name) =>
      (await world.deploy(name)).at(0),
    ),
  )) as [Address, Address, Address]
  const [items] = (await world.deploy('OddCollection')) as [Address]
  const [broken] = (await world.deploy('OddCollection')) as [Address]
  const [punks] = (await world.deploy('LegacyPunks')) as [Address]
  const [preset] = chainPresets[1]?.legacyCollections ?? []
  if (!preset) {
    throw new Error('The preset has no legacy collections')
  }
  await world.mine([
    [items, 'configure', true, false],
    [broken, 'configure', false, true],
    [hybrid, 'configure', true],
    ...ids.map((id): Transaction => [punks, 'setInitialOwner', wallet(Number(id)), id]),
    [odd, 'mintBatch', wallet(0), 10n, 12n],
    [odd, 'mint', wallet(1), 1n],
    [odd, 'mint', wallet(2), 1n],
    [broken, 'mint', wallet(1), 1n],
    [hybrid, 'mint', wallet(1), 5_000n, 7n],
    [erc20, 'mint', wallet(1), 100n, 7n],
    [items, 'logSingle', wallet(3), wallet(1), 4n, 9n],
    [items, 'setAmount', wallet(1), 4n, 8n],
    // A log of a transfer that did not happen.
    [odd, 'log', wallet(2), wallet(5), 1n],
    [odd, 'setOwner', 1n, wallet(2)],
  ])
  await world.mine([
    [punks, 'transferPunk', wallet(3), 1n],
    [punks, 'buyPunk', wallet(4), 2n],
    [punks, 'enterBidForPunk', wallet(5), 3n],
    // Its own event has no recipient.
    [punks, 'acceptBidForPunk', 3n],
  ])
  const config = testChainConfig(world.chainId, {
    rpcUrls: [world.node.url],
    history: 'node',
    pollIntervalMs: 20,
    finalityDepth: 1,
    legacyCollections: [{ ...preset, address: punks }],
  })
  const service = await startTestService(await openSharedStore('pglite'), [config])
  const get = async (holder: string) => {
    const path = `/v1/evm/collectibles/${holder}?chain_ids=${world.chainId}`
    const response = await service.fetch(path)
    expect([path, response.status]).toEqual([path, 200])
    const { entries, warnings } = (await response.json()) as CollectiblesResponse
    return warnings ? undefined : entries
  }
  const owners = await Promise.all(
    ids.map(async (id) => String(await world.read([punks, 'punkIndexToAddress', id]))),
  )
  const others = new Map([
    [0, [10, 11, 12].map((id) => [odd, String(id), 'ERC721', '1'])],
    [
      1,
      [
        [hybrid, '7', 'ERC721', '1'],
        [items, '4', 'ERC1155', '8'],
      ],
    ],
    [2, [[odd, '1', 'ERC721', '1']]],
  ])
  for (const [index, holder] of wallets.entries()) {
    const expected = [
      ...owners.flatMap((owner, id) =>
        owner.toLowerCase() === holder ? [[punks, String(id), 'ERC721', '1']] : [],
      ),
      ...(others.get(index) ?? []),
    ]
    await expect.poll(() => get(holder)).toBeDefined()
    const entries = (await get(holder)) ?? []
    const listed = entries.map((nft) => [
      ...[nft.contract_address, nft.token_id, nft.token_standard, nft.balance],
    ])
    expect([holder, ...listed.sort()]).toEqual([holder, ...expected.sort()])
  }
})

it('lists an NFT again after a reorg without its burn', async () => {
  const world = await startCollections()
  const [odd] = (await world.deploy('OddCollection')) as [Address]
  await world.mine([[odd, 'mint', wallet(0), 1n]])
  const options = { rpcUrls: [world.node.url], history: 'node', pollIntervalMs: 20 } as const
  const config = testChainConfig(world.chainId, options)
  const service = await startTestService(await openSharedStore('pglite'), [config])
  const list = async () => {
    const response = await service.fetch(`/v1/evm/collectibles/${wallet(0)}`)
    const { entries } = (await response.json()) as CollectiblesResponse
    return entries.map(({ token_id }) => token_id)
  }
  await expect.poll(list).toEqual(['1'])
  // Both of its functions revert from then on.
  await world.mine([[odd, 'transfer', wallet(0), zeroAddress, 1n]])
  await expect.poll(list).toEqual([])
  await world.node.call('anvil_rollback', 1)
  await world.mine([])
  await expect.poll(list).toEqual(['1'])
})
