import { expect, test } from 'vitest'
import { createClient } from '@headwater/core'
import { readLink } from '../links/readLink.ts'
import { describeStreams } from './describeStreams.ts'

const client = createClient({ baseUrl: 'http://service.test' })
const wallet = `address=0x${'a'.repeat(40)}&chains=1,5,10`

test('counts one poll for both table and total', () => {
  expect(describeStreams(readLink(`?${wallet}`), client)).toMatchObject([
    { source: 'Balances', costs: '3 units every 2 s' },
    { source: 'Balances', costs: 'same poll, no units' },
  ])
})

test('names the source of the price', () => {
  const link = readLink(`?screen=token&chain=1&token=0x${'b'.repeat(40)}`)
  expect(describeStreams(link, client, 'tokenBalance')).toMatchObject([
    { source: 'Token info', costs: '2 units every 30 s' },
    { source: 'Token balance' },
    { source: 'Token holders', costs: '2 units every 15 s' },
  ])
})

test('lists no holders of a native asset, and no streams without a wallet', () => {
  expect(describeStreams(readLink('?screen=token&chain=1&token=native'), client)).toHaveLength(2)
  expect(describeStreams(readLink('?screen=collectibles'), client)).toEqual([])
  expect(describeStreams(readLink(`?screen=collectibles&${wallet}`), client)).toMatchObject([
    { costs: '3 units every 15 s' },
  ])
})
