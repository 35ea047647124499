import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Link } from './Link.ts'
import { readLink } from './readLink.ts'
import { writeLink } from './writeLink.ts'

const address = `0x${'a'.repeat(40)}`

const wallet = fc.record({
  address: fc.constantFrom('', address, '0x12', 'alice & bob'),
  chains: fc.uniqueArray(fc.constantFrom<number | string>(1, 8453, 31337, 'default', 'devnet')),
})
const screen = fc.oneof(
  fc.constantFrom(
    { screen: 'portfolio', chainId: 0, token: '', tokenId: '' } as const,
    { screen: 'collectibles', chainId: 0, token: '', tokenId: '' } as const,
    { screen: 'token', chainId: 1, token: 'native', tokenId: '' } as const,
  ),
  fc.record({
    screen: fc.constant('collectible' as const),
    chainId: fc.integer({ min: 1 }),
    token: fc.constant(address),
    tokenId: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
  }),
)

test('round-trips every link', () => {
  fc.assert(
    fc.property(
      wallet,
      screen,
      fc.constantFrom('', '?key=hw_1', `?screen=token&chain=5&token=${address}&id=9`),
      (selection, location, search) => {
        const link: Link = { ...selection, ...location }
        expect(readLink(writeLink(link, search))).toEqual(link)
      },
    ),
  )
})

test('keeps other parameters', () => {
  expect(writeLink(readLink('?address=0x1'), '?key=hw_1&theme=dark&address=0x2')).toBe(
    '?key=hw_1&theme=dark&address=0x1',
  )
})

test.each([
  ['?screen=token', 'portfolio'],
  ['?screen=token&chain=ethereum&token=native', 'portfolio'],
  ['?screen=collectible&chain=1&token=0x1&id=ten', 'collectibles'],
  ['?screen=admin', 'portfolio'],
  ['', 'portfolio'],
])('resolves an incomplete link (%s) to the screen %s', (search, screen) => {
  expect(readLink(search).screen).toBe(screen)
})

test('omits invalid chains', () => {
  expect(readLink('?chains=1,, 8453,-5,1,0,1.5,a b,%3Cb%3E').chains).toEqual([1, 8453, 'a', 'b'])
})
