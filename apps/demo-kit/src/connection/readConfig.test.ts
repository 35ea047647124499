import { expect, test } from 'vitest'
import { readConfig } from './readConfig.ts'

const apiUrl = 'http://127.0.0.1:4000'
const mainnet = { id: 1, name: 'mainnet', tags: ['default'] }
const alice = { name: 'Alice', address: `0x${'a'.repeat(40)}` }

test('reads the configuration that npm start writes', () => {
  const config = { apiUrl, wallets: [alice], chains: [mainnet] }
  expect(readConfig(config)).toEqual(config)
})

test.each([null, [], 'text', {}, { apiUrl: '' }, { apiUrl: 4000 }])('rejects %j', (json) => {
  expect(readConfig(json)).toBeNull()
})

test('omits invalid and repeated wallets', () => {
  expect(readConfig({ apiUrl, wallets: [alice, null, {}, alice] })?.wallets).toEqual([alice])
  expect(readConfig({ apiUrl, wallets: 'none' })?.wallets).toEqual([])
})

test('omits invalid chains', () => {
  const chains = [mainnet, null, { id: 1 }, { ...mainnet, tags: [5] }, { ...mainnet, id: 'one' }]
  expect(readConfig({ apiUrl, chains })?.chains).toEqual([mainnet])
  expect(readConfig({ apiUrl, chains: 'all' })?.chains).toEqual([])
})
