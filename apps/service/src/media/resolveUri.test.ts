import { describe, expect, it } from 'vitest'
import { resolveUri } from './resolveUri.ts'

const gateways = {
  ipfsGateways: ['https://one.example/ipfs/', 'https://two.example/ipfs'],
  arweaveGateways: ['https://ar.example/'],
}
const old = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'
const recent = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
const transaction = 'VOJTaw0cfkcDVvjWhIlZ_0d0Aq7Jn4kQvJfWXVkTRMU'
const through = (path: string) => [
  `https://one.example/ipfs/${path}`,
  `https://two.example/ipfs/${path}`,
]

describe('resolveUri', () => {
  it.each([
    [`ipfs://${old}`, old],
    [`ipfs://${recent}/1.json`, `${recent}/1.json`],
    [`IPFS://${old}/1`, `${old}/1`],
    [`ipfs://ipfs/${old}/1`, `${old}/1`],
    [`ipfs:/${old}/1`, `${old}/1`],
    [old, old],
    [`${old}/1.json`, `${old}/1.json`],
    [`/ipfs/${old}/1.json`, `${old}/1.json`],
    [`ipfs://${old}/My Ape #1.png`, `${old}/My%20Ape%20%231.png`],
    [`ipfs://${old}/My%20Ape.png`, `${old}/My%20Ape.png`],
    [`ipfs://${old}/a?filename=b`, `${old}/a?filename=b`],
  ])('resolves %s to every gateway', (uri, path) => {
    expect(resolveUri(uri, gateways)).toEqual(through(path))
  })

  it('resolves ar:// to its gateways', () => {
    expect(resolveUri(`ar://${transaction}/0.json`, gateways)).toEqual([
      `https://ar.example/${transaction}/0.json`,
    ])
  })

  it('keeps URLs, and adds the other gateways for those of a gateway', () => {
    expect(resolveUri('https://example.org/1', gateways)).toEqual(['https://example.org/1'])
    const other = `https://other.example/ipfs/${old}/1`
    expect(resolveUri(other, gateways)).toEqual([other, ...through(`${old}/1`)])
    const [first, second] = through(`${old}/1`)
    expect(resolveUri(first ?? '', gateways)).toEqual([first, second])
  })

  it.each([
    '',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ipfs://',
    'ipfs://not-a-cid/1',
    `ipfs://${old}@evil.example/`,
    `ipfs://${old}/../../../admin`,
    `ipfs://${old}/%2e%2E/admin`,
    'ar://short',
    'ftp://example.org/1',
    '1.json',
  ])('resolves %j to nothing', (uri) => expect(resolveUri(uri, gateways)).toEqual([]))

  it.each([`ipfs://${old}/`, `ar://${transaction}/`, 'https://example.org/'])(
    'resolves %s with a path of more than 8192 characters to nothing',
    (start) => {
      expect(resolveUri(start.padEnd(8192, 'a'), gateways)).not.toEqual([])
      expect(resolveUri(start.padEnd(8193, 'a'), gateways)).toEqual([])
    },
  )
})
