import { createHash } from 'node:crypto'

/** The pages of a listing of holders, as JSON texts. */
export function createHolderPages(pages: number, size: number): string[] {
  return Array.from({ length: pages }, (_, page) =>
    JSON.stringify({
      token_address: '0x0000000000000000000000000000000000000001',
      chain_id: 1,
      holders: Array.from({ length: size }, (_, row) => createHolder(page * size + row)),
      next_offset: page + 1 < pages ? String(page + 1) : null,
    }),
  )
}

function createHolder(index: number) {
  const address = createHash('sha1').update(String(index)).digest('hex')
  return {
    wallet_address: `0x${address}`,
    balance: String(10n ** 24n / BigInt(index + 1)),
    first_acquired: new Date(1.7e12 + index * 1000).toISOString().replace('.000Z', '+00:00'),
    has_initiated_transfer: index % 3 === 0,
  }
}
