import { pino } from 'pino'
import type { Address } from 'viem'
import { expect, it } from 'vitest'
import type { CollectiblesResponse, TokenHoldersResponse } from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import {
  startCollections,
  type Transaction,
  wallet,
  wallets,
} from '../../../test/startCollections.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { auditLedger, createLedgerAuditState } from '../../audit/auditLedger.ts'
import { chainPresets } from '../../config/chainPresets.ts'
import { fillPendingTokens } from '../../metadata/fillPendingTokens.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import { getOwnerFunctions } from './legacyCollections.ts'

const ids = [0n, 1n, 2n, 3n, 4n, 5n]

describeEachStore('the legacy collections of Ethereum', (openTestStore) => {
  it('are NFTs that equal their contracts, with and without logs', async () => {
    const store = await openTestStore()
    const world = await startCollections()
    const [punks] = (await world.deploy('LegacyPunks')) as [Address]
    const [kitties] = (await world.deploy('LegacyKitties')) as [Address]
    const [punkPreset, kittyPreset] = chainPresets[1]?.legacyCollections ?? []
    if (!punkPreset || !kittyPreset) {
      throw new Error('The preset has no legacy collections')
    }
    const { chainId } = world
    const config = testChainConfig(chainId, {
      rpcUrls: [world.node.url],
      pollIntervalMs: 20,
      legacyCollections: [
        { ...punkPreset, address: punks },
        { ...kittyPreset, address: kitties },
      ],
    })
    const ownerFunctions = getOwnerFunctions(config.legacyCollections)
    await world.mine([
      ...ids.map((id): Transaction => [punks, 'setInitialOwner', wallet(Number(id)), id]),
      ...ids.map((id): Transaction => [kitties, 'createKitty', wallet(Number(id)), id]),
      [punks, 'setInitialOwner', wallet(1), 0n],
    ])
    await world.mine([
      [punks, 'transferPunk', wallet(3), 1n],
      [punks, 'buyPunk', wallet(4), 2n],
      [punks, 'enterBidForPunk', wallet(5), 3n],
      [punks, 'acceptBidForPunk', 3n],
      [kitties, 'transfer', wallet(3), 0n],
    ])
    const indexer = indexTestChain(store, config)
    const node = new ChainNode([world.node.url])
    const service = await startTestService(store, [config])
    const get = async <Body>(path: string) => {
      const response = await service.fetch(path)
      expect([path, response.status]).toEqual([path, 200])
      return (await response.json()) as Body
    }
    const expectTruth = async () => {
      const owners = await Promise.all(
        ids.flatMap((id) => [
          world.read([punks, 'punkIndexToAddress', id]).then((owner) => ({ of: punks, id, owner })),
          world.read([kitties, 'ownerOf', id]).then((owner) => ({ of: kitties, id, owner })),
        ]),
      )
      for (const holder of wallets) {
        const owned = owners.filter(({ owner }) => String(owner).toLowerCase() === holder)
        const path = `/v1/evm/collectibles/${holder}?chain_ids=${chainId}`
        const { entries } = await get<CollectiblesResponse>(path)
        const rows = entries.map((nft) => [nft.contract_address, nft.token_id, nft.balance])
        expect([holder, ...rows.map(String).sort()]).toEqual([
          holder,
          ...owned.map(({ of, id }) => `${of},${id},1`).sort(),
        ])
        expect(entries.every(({ token_standard }) => token_standard === 'ERC721')).toBe(true)
      }
      for (const token of [punks, kitties]) {
        const { holders } = await get<TokenHoldersResponse>(
          `/v1/evm/token-holders/${chainId}/${token}`,
        )
        const counts = await Promise.all(
          wallets.map(async (holder) => [
            holder,
            String(await world.read([token, 'balanceOf', holder])),
          ]),
        )
        const listed = holders.map(({ wallet_address, balance }) => [wallet_address, balance])
        expect(listed.sort()).toEqual(counts.filter(([, count]) => count !== '0').sort())
      }
    }
    const catchUp = async () => {
      await indexer.reaches(await world.headHash())
      await fillPendingTokens(store.db, node, chainId, undefined, ownerFunctions)
    }
    await catchUp()
    await expectTruth()

    await world.mine([[punks, 'moveSilently', wallet(0), 5n]])
    await catchUp()
    const options = {
      db: store.db,
      node,
      chainId,
      logger: pino({ level: 'silent' }),
      ownerFunctions,
    }
    const state = createLedgerAuditState()
    while (!(await auditLedger(options, state, 100)).isDone) {
      // Until every NFT was compared.
    }
    await expectTruth()
    await indexer.stop()
  })
})
