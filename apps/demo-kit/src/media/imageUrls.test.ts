import { expect, test } from 'vitest'
import { collectibleImageUrl, logoUrl } from './imageUrls.ts'

const baseUrl = 'https://service.test/data'
const collectible = { chain_id: 1, contract_address: '0xab', token_id: '7' }

test('builds the logo URLs of the specification', () => {
  expect(logoUrl(baseUrl, 1, 'native')).toBe(`${baseUrl}/beta/token/logo/1`)
  expect(logoUrl(baseUrl, 1, '0xab')).toBe(`${baseUrl}/beta/token/logo/1/0xab`)
})

test('uses image URLs of the service only', () => {
  const image_url = 'https://evil.test/track.png'
  expect(collectibleImageUrl(baseUrl, { ...collectible, image_url })).toBe(
    `${baseUrl}/v1/evm/collectible/image/1/0xab/7`,
  )
  expect(collectibleImageUrl(baseUrl, collectible)).toBeUndefined()
  expect(
    collectibleImageUrl(baseUrl, { ...collectible, image_url, contract_address: '../../x?' }),
  ).toBe(`${baseUrl}/v1/evm/collectible/image/1/..%2F..%2Fx%3F/7`)
})
