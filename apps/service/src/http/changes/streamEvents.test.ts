import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTestFeed, walletsOf } from '../../../test/createTestFeed.ts'
import { createResponseLoaders, type ResponseLoader } from './loadResponses.ts'
import { streamEvents } from './streamEvents.ts'

const wallet = `0x${'1'.repeat(40)}`

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A stream, and what a client has read of it. */
async function open(
  isAllowed: () => Promise<boolean> = () => Promise.resolve(true),
  load?: ResponseLoader['load'],
) {
  const { feed, change } = createTestFeed()
  const subscription = await feed.open(1, walletsOf(wallet), undefined)
  const close = () => feed.close(1, subscription)
  const socket = new Socket()
  const loader = load && { load, release: () => undefined }
  const stream = streamEvents({ feed, subscription, loader, close, isAllowed, socket })
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  const received = { text: '', isClosed: false }
  const read = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) {
        received.isClosed = true
        return
      }
      received.text += value
    }
  }
  void read()
  return { feed, change, received, socket, cancel: () => reader.cancel() }
}

it('ends when the key is revoked, also while there are events', async () => {
  let isValid = true
  const { feed, change, received } = await open(() => Promise.resolve(isValid))
  isValid = false
  for (let second = 0; second < 20; second++) {
    change([wallet])
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(received.isClosed).toBe(true)
  expect(feed.count).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})

it('ends with its connection, also while the response of a pipelined request waits', async () => {
  const { feed, socket } = await open()
  expect(feed.count).toBe(1)
  socket.emit('close')
  expect(feed.count).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
  expect(socket.listenerCount('close')).toBe(0)
})

it('sends no heartbeat with the id of an event before that event', async () => {
  const loading = Promise.withResolvers<[]>()
  const checked = Promise.withResolvers<boolean>()
  const { change, received, cancel } = await open(
    () => checked.promise,
    () => loading.promise,
  )
  await vi.advanceTimersByTimeAsync(15_000)
  change([wallet])
  await vi.advanceTimersByTimeAsync(0)
  checked.resolve(true)
  await vi.advanceTimersByTimeAsync(20_000)
  loading.resolve([])
  await vi.advanceTimersByTimeAsync(0)
  const ids = [...received.text.matchAll(/event: (\w+)\nid: (\S+)/g)].map(([, type, id]) => [
    type,
    id,
  ])
  expect(ids.filter(([, id]) => id === '7:2:0x2:')[0]).toEqual(['change', '7:2:0x2:'])
  await cancel()
})

it('sends an event without responses where they cannot be loaded, and those that follow', async () => {
  const { change, received, cancel } = await open(
    () => Promise.resolve(true),
    () => Promise.reject(new Error('failed')),
  )
  change([wallet])
  await vi.advanceTimersByTimeAsync(0)
  change([wallet])
  await vi.advanceTimersByTimeAsync(0)
  expect(received.text.match(/event: change/g)).toHaveLength(2)
  await cancel()
})

it('holds one event for a client that does not read, and few responses for all of them', async () => {
  const { feed, change } = createTestFeed()
  const wallets = Array.from({ length: 20 }, (_, index) => `0x${String(index).padStart(40, '0')}`)
  let requests = 0
  const createLoader = createResponseLoaders(() => {
    requests++
    return Response.json({})
  })
  const open = async () => {
    const subscription = await feed.open(1, walletsOf(...wallets), undefined)
    const loader = createLoader('secret')
    const close = () => loader.release()
    const isAllowed = () => Promise.resolve(true)
    const reader = streamEvents({ feed, subscription, loader, close, isAllowed }).getReader()
    await reader.read()
    await reader.read()
    return reader
  }
  const mine = async () => {
    change(wallets)
    await vi.advanceTimersByTimeAsync(0)
  }
  const readers = await Promise.all(Array.from({ length: 30 }, open))
  await mine()
  expect(requests).toBe(0)
  // Each event has 20 responses, of which no more than 500 are unread.
  const first = readers.map((reader) => reader.read())
  await mine()
  expect(requests).toBe(500)
  await Promise.all(first)
  for (let block = 0; block < 3; block++) {
    await mine()
  }
  expect(requests).toBe(500)
  // That which merges the blocks since has none.
  await Promise.all(readers.map((reader) => reader.read()))
  const next = readers.map((reader) => reader.read())
  await mine()
  expect(requests).toBe(1000)
  await Promise.all([...next, ...readers.map((reader) => reader.cancel())])
})
