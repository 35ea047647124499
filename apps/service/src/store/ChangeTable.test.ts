import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ChangeTable, hashAddresses } from './ChangeTable.ts'

const toAddress = (value: number | bigint) => `0x${value.toString(16).padStart(40, '0')}`

it('finds what changed, and little else while it has room', () => {
  const table = new ChangeTable(10_000)
  const addresses = Array.from({ length: 5_000 }, (_, index) => toAddress(index))
  for (const [index, address] of addresses.entries()) {
    table.add(hashAddresses([[address]]), index + 1)
  }
  const found = addresses.filter((address) => table.hasChanged(hashAddresses([[address]]), 4_000))
  expect(found).toEqual(expect.arrayContaining(addresses.slice(4_000)))
  expect(found.length).toBeLessThan(1_100)
  expect(table.hasChanged(hashAddresses([addresses.slice(0, 100)]), 5_000)).toBe(false)
  expect(table.hasChanged(hashAddresses([]), 0)).toBe(false)
})

it('distinguishes the kinds of an address', () => {
  const table = new ChangeTable(100)
  const address = toAddress(2n ** 159n)
  table.add(hashAddresses([[], [address]]), 1)
  expect(table.hasChanged(hashAddresses([[], [address]]), 0)).toBe(true)
  expect(table.hasChanged(hashAddresses([[address]]), 0)).toBe(false)
})

it('never misses a change, however many addresses there are', () => {
  const changes = fc.array(fc.array(fc.nat(300), { maxLength: 40 }), { maxLength: 40 })
  fc.assert(
    fc.property(changes, (blocks) => {
      const table = new ChangeTable(20)
      const latest = new Map<number, number>()
      for (const [block, changed] of blocks.entries()) {
        table.add(hashAddresses([changed.map(toAddress)]), block + 1)
        changed.forEach((each) => latest.set(each, block + 1))
      }
      for (const [each, block] of latest) {
        expect(table.hasChanged(hashAddresses([[toAddress(each)]]), block - 1)).toBe(true)
      }
      expect(
        table.hasChanged(hashAddresses([[...latest.keys()].map(toAddress)]), blocks.length),
      ).toBe(false)
    }),
  )
})
