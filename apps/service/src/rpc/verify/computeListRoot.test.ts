import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import { type Input, RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { bytesToHex, keccak256 as keccak256OfBytes } from 'viem/utils'
import { expect, it } from 'vitest'
import { computeListRoot } from './computeListRoot.ts'
import { encodeData, encodeList, encodeQuantity, keccak256 } from './rlp.ts'

const bytes = (constraints: fc.IntArrayConstraints) => fc.uint8Array(constraints)

it('computes the root of a trie of the same values', async () => {
  const value = bytes({ minLength: 1, maxLength: 70 })
  const lists = fc.oneof(
    fc.array(value, { maxLength: 20 }),
    // Indices above 127 and above 255 are encoded in more bytes.
    fc.array(value, { minLength: 120, maxLength: 300 }),
  )
  await fc.assert(
    fc.asyncProperty(lists, async (values) => {
      const trie = new MerklePatriciaTrie()
      for (const [index, each] of values.entries()) {
        await trie.put(RLP.encode(index), each)
      }
      const root = computeListRoot(values.map((each) => bytesToHex(each)))
      expect(root).toBe(bytesToHex(trie.root()))
    }),
    { numRuns: 40 },
  )
})

it('encodes data, quantities and lists, and hashes them', () => {
  type Item = bigint | Uint8Array | readonly Item[]
  const encode = (item: Item): string => {
    if (typeof item === 'bigint') {
      return encodeQuantity(`0x${item.toString(16)}`)
    }
    return item instanceof Uint8Array ? encodeData(bytesToHex(item)) : encodeList(item.map(encode))
  }
  const { item } = fc.letrec<{ item: Item }>((tie) => ({
    item: fc.oneof(
      { maxDepth: 3 },
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      bytes({ maxLength: 2 }),
      bytes({ maxLength: 300 }),
      fc.array(tie('item'), { maxLength: 5 }),
    ),
  }))
  fc.assert(
    fc.property(item, (value) => {
      const expected = RLP.encode(value as Input)
      expect(encode(value)).toBe(bytesToHex(expected).slice(2))
      expect(keccak256(encode(value))).toBe(keccak256OfBytes(expected))
    }),
  )
})
