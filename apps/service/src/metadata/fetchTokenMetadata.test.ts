import { numberToHex } from 'viem'
import { expect, it } from 'vitest'
import { fetchTokenMetadata } from './fetchTokenMetadata.ts'

const block = { number: 1, hash: `0x${'1'.repeat(64)}` } as const

it('reads decimals from 0 to 255 and no other value', async () => {
  const results = [
    ...[0, 18, 255, 256].map((decimals) => numberToHex(decimals, { size: 32 })),
    ...['0x', '0x12', `0x${'f'.repeat(64)}`],
    `${numberToHex(18, { size: 32 })}${'0'.repeat(64)}`,
  ]
  const node = {
    multicall: (calls: readonly { readonly to: string; readonly data: string }[]) =>
      Promise.resolve(
        calls.map(({ to }) => ({ status: 'success' as const, data: results[Number(to)] ?? '0x' })),
      ),
  }
  const tokens = results.map((_, index) => ({ address: `0x${index}` }))
  const metadata = await fetchTokenMetadata(node, tokens, block)
  expect(metadata.map((token) => ('decimals' in token ? token.decimals : token))).toEqual([
    0,
    18,
    255,
    null,
    null,
    null,
    null,
    null,
  ])
})
