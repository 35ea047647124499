import { type Address, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { compileContracts } from '@headwater/devnet'
import { createContractClient } from '../../../test/createContractClient.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { openMemoryStore } from '../../../test/openMemoryStore.ts'
import { startAnvil } from '../../../test/startAnvil.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { ChainConfig } from '../../config/Config.ts'
import { loadPriceBooks } from '../loadPriceBooks.ts'
import { toNumber } from '../toNumber.ts'

const abi = parseAbi(['function set(int256 value)'])
const hour = 3600
const heartbeatSeconds = 2 * hour

it('reads the feed of the only stablecoin, now and in the past, and ignores a late one', async () => {
  const node = await startAnvil('--gas-limit', '1000000000', '--base-fee', '0')
  const [sender] = (await node.call<Address[]>('eth_accounts')) as [Address]
  const { deploy, execute } = createContractClient(node, sender)
  const bytecodes = await compileContracts()
  const token = await deploy(
    bytecodes.DevnetToken,
    ['string', 'string', 'uint8', 'uint256', 'address'],
    ['Dollar', 'USD', 6, 10n ** 12n, sender],
  )
  const address = await deploy(bytecodes.FixedPriceFeed)
  const feed = { token, address, heartbeatSeconds, everyBlocks: 2 }
  const chain = testChainConfig(31_337, {
    rpcUrls: [node.url],
    pollIntervalMs: 10,
    wrappedNative: address,
    stablecoins: [token],
    priceFeeds: [feed],
  })
  const store = await openMemoryStore()
  const indexer = indexTestChain(store, chain)
  /** Mines blocks so that the feed is read, and prices the stablecoin at the head and one hour before. */
  const getPrices = async (config: ChainConfig = chain) => {
    await node.call('anvil_mine', '0x2')
    const head = await node.call<{ number: string; hash: string; timestamp: string }>(
      'eth_getBlockByNumber',
      'latest',
      false,
    )
    await indexer.reaches(head.hash)
    await store.db.updateTable('tokens').set({ decimals: 6, metadata: 'read' }).execute()
    const point = {
      number: Number(head.number),
      hash: head.hash,
      time: Number(head.timestamp),
      metadataVersion: 0,
    }
    const books = await loadPriceBooks(store.db, [{ chain: config, head: point, tokens: [] }], [1])
    const book = books.get(chain.id)
    const [now, past] = [book?.now, book?.past[0]].map((prices) => {
      const price = prices?.get(token)?.price
      return price && toNumber(price) * 1e6
    })
    return { now, past, depegged: [...(book?.depegged ?? [])] }
  }

  await execute(address, abi, 'set', [99_900_000n])
  expect(await getPrices()).toMatchObject({ now: 1, depegged: [] })
  await node.call('evm_increaseTime', hour + 60)
  await execute(address, abi, 'set', [87_000_000n])
  expect(await getPrices()).toEqual({ now: 0.87, past: 1, depegged: [token] })
  // A feed that is not configured any more has no effect.
  expect(await getPrices({ ...chain, priceFeeds: [] })).toMatchObject({ now: 1, depegged: [] })
  await node.call('evm_increaseTime', 3 * heartbeatSeconds)
  expect(await getPrices()).toMatchObject({ now: 1, depegged: [] })
  await indexer.stop()
})
