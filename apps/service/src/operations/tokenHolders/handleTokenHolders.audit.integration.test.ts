import { expect, it } from 'vitest'
import { isTokenHoldersResponse, type TokenHoldersResponse } from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../../test/seedChain.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { fromHex } from '../../store/hex.ts'
import type { Store } from '../../store/Store.ts'

const token = testAddress(0x20)
const start = 1_714_564_800 // 2024-05-01T12:00:00Z

/** A token whose ledger was wrong, and what was read of its holders: amount and block. */
async function serve({ db, ...store }: Store, isRead = true) {
  await seedChain(db, {
    chainId: 7,
    blocks: { 0: start, 3: start + 60, 9: start + 3600 },
    tokens: [{ address: token }],
    balances: [
      { holder: testAddress(1), token, amount: 1000n, firstIn: 0 },
      { holder: testAddress(2), token, amount: -5n, firstIn: 3, initiated: 3 },
      { holder: testAddress(3), token, amount: 7n, firstIn: 0 },
      { holder: testAddress(4), token, amount: 0n, firstIn: null },
      // Of the other shape, which tells nothing of these.
      { holder: testAddress(4), token, amount: 1n, firstIn: 3, standard: 721 },
    ],
  })
  await db.updateTable('tokens').set({ amounts_from: 'chain', holders_read: isRead }).execute()
  const read: [holder: number, amount: bigint | null, block: number | null][] = [
    [1, 0n, 9],
    [2, 2n ** 256n - 1n, 8],
    [3, 50n, 9],
    [4, 50n, 6],
    [5, null, null],
  ]
  await db
    .insertInto('chain_amounts')
    .values(
      read.map(([holder, amount, block_number]) => ({
        chain_id: 7,
        token: fromHex(token),
        holder: fromHex(testAddress(holder)),
        amount,
        block_number,
      })),
    )
    .execute()
  return await startTestService({ db, ...store }, [testChainConfig(7)])
}

describeEachStore('holders of a token whose ledger was wrong', (openTestStore) => {
  it('are ranked by what was read, with the history that the ledger tells', async () => {
    const service = await serve(await openTestStore())
    const response = await service.fetch(`/v1/evm/token-holders/7/${token}`)
    const body = (await response.json()) as TokenHoldersResponse
    expect(isTokenHoldersResponse(body)).toBe(true)
    expect(body.holders).toEqual([
      {
        wallet_address: testAddress(2),
        balance: String(2n ** 256n - 1n),
        first_acquired: '2024-05-01T12:01:00+00:00',
        has_initiated_transfer: true,
      },
      {
        wallet_address: testAddress(3),
        balance: '50',
        first_acquired: '2024-05-01T12:00:00+00:00',
        has_initiated_transfer: false,
      },
      { wallet_address: testAddress(4), balance: '50', has_initiated_transfer: false },
    ])
  })

  it('are of the oldest block that one of the page was read at', async () => {
    const service = await serve(await openTestStore())
    const blocks: (string | null)[] = []
    const holders: string[] = []
    let offset: string | null | undefined = ''
    do {
      const path = `/v1/evm/token-holders/7/${token}?limit=1&offset=${offset}`
      const response = await service.fetch(path)
      const body = (await response.json()) as TokenHoldersResponse
      blocks.push(response.headers.get('x-block-numbers'))
      holders.push(...body.holders.map(({ wallet_address }) => wallet_address))
      offset = body.next_offset
    } while (offset)
    expect(blocks).toEqual(['7=8', '7=9', '7=6'])
    expect(holders).toEqual([testAddress(2), testAddress(3), testAddress(4)])
  })

  it('are 503 until each of them was read once', async () => {
    const service = await serve(await openTestStore(), false)
    const response = await service.fetch(`/v1/evm/token-holders/7/${token}`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'HOLDERS_NOT_READ' })
    expect(response.headers.get('retry-after')).toBe('30')
    expect(response.headers.get('x-compute-units-cost')).toBe('0')
  })
})
