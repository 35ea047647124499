import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { describeEachStore, emptyTables } from '../../test/describeEachStore.ts'
import { balancePath as path, oneBalanceChain } from '../../test/oneBalanceChain.ts'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'
import type { NewKey } from '../keys/createKey.ts'
import { listKeys } from '../keys/listKeys.ts'
import { updateKey } from '../keys/updateKey.ts'
import type { Store } from '../store/Store.ts'

describeEachStore('limits', (openTestStore) => {
  /** A service of the chains 7 and 8, and a key. */
  const start = async (key: Partial<NewKey> = {}) => {
    const store = await openTestStore()
    for (const chainId of [7, 8]) {
      await seedChain(store.db, { ...oneBalanceChain, chainId })
    }
    const chains = [testChainConfig(7), testChainConfig(8, { tags: [] })]
    const service = await startTestService(store, chains, new Set(), key)
    /** Ends the service, and tells what it wrote down as used. */
    const usedInAll = async () => {
      await service.close()
      const used = (await listKeys(store.db)).find(({ id }) => id === service.keyId)
      return used?.unitsUsed
    }
    return { ...service, store, usedInAll }
  }
  const units = ({ headers }: Response) =>
    ['cost', 'remaining'].map((name) => headers.get(`x-compute-units-${name}`))

  it('tells cost and rest of the units with every answer, and charges what it tells', async () => {
    const { fetch, usedInAll } = await start({ unitsQuota: 10 })
    const first = await fetch(path)
    expect(units(first)).toEqual(['1', '9'])
    expect(units(await fetch(`${path}&chain_ids=7,8`))).toEqual(['2', '7'])
    expect(units(await fetch(path, { method: 'HEAD' }))).toEqual(['1', '6'])
    const etag = first.headers.get('etag') ?? ''
    const same = await fetch(path, { headers: { 'If-None-Match': etag } })
    expect(same.status).toBe(304)
    expect(units(same)).toEqual(['1', '5'])
    expect(await usedInAll()).toBe(5)
  })

  it('charges nothing for what is refused, and tells the rest all the same', async () => {
    const { fetch, url, store, usedInAll } = await start({ unitsQuota: 10 })
    for (const [asked, status] of [
      [`${path}&limit=0`, 400],
      [`${path}&chain_ids=ethereum`, 400],
      [`/v1/evm/token-holders/9/${testTokens.usd}`, 404],
    ] as const) {
      const response = await fetch(asked)
      expect(response.status).toBe(status)
      expect(units(response)).toEqual(['0', '10'])
    }
    await store.db.schema.alterTable('balances').renameTo('elsewhere').execute()
    try {
      const failed = await fetch(path)
      expect(failed.status).toBe(500)
      expect(units(failed)).toEqual(['0', '10'])
    } finally {
      await store.db.schema.alterTable('elsewhere').renameTo('balances').execute()
    }
    await fetch(path, { method: 'POST' })
    await fetch(path, { method: 'OPTIONS' })
    await globalThis.fetch(url + path)
    // Only chains that are not served: nothing is answered of them.
    expect(units(await fetch(`${path}&chain_ids=9`))).toEqual(['0', '10'])
    expect(await usedInAll()).toBe(0)
  })

  it('answers 402 before any work when the quota cannot pay, until it is raised', async () => {
    const { fetch, store, keyId, usedInAll } = await start({ unitsQuota: 3 })
    expect((await fetch(`${path}&chain_ids=7,8`)).status).toBe(200)
    const refused = await fetch(`${path}&chain_ids=7,8`)
    expect(refused.status).toBe(402)
    expect(await refused.json()).toMatchObject({ code: 'UNITS_EXHAUSTED' })
    expect(units(refused)).toEqual(['0', '1'])
    expect(refused.headers.get('retry-after')).toBeNull()
    expect(units(await fetch(path))).toEqual(['1', '0'])
    expect((await fetch(path)).status).toBe(402)
    // What costs nothing is answered.
    expect((await fetch(`${path}&chain_ids=9`)).status).toBe(200)
    await updateKey(store.db, keyId, { addedUnits: 1 })
    let response: Response
    do {
      response = await fetch(path)
    } while (response.status === 402)
    expect(units(response)).toEqual(['1', '0'])
    expect(await usedInAll()).toBe(4)
  })

  it('lets requests at the same time use no more than the quota', async () => {
    const { fetch, usedInAll } = await start({ unitsQuota: 7 })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fetch(`${path}&limit=${index + 1}`)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(7)
    expect(statuses.filter((status) => status === 402)).toHaveLength(13)
    expect(await usedInAll()).toBe(7)
  })

  it('counts a key without a quota too, and tells it no rest', async () => {
    const { fetch, usedInAll } = await start()
    expect(units(await fetch(path))).toEqual(['1', null])
    expect(await usedInAll()).toBe(1)
  })

  it('charges an answer once though its client has gone', async () => {
    const { url, secret, store, log, usedInAll } = await start()
    // Somebody holds the rows, so that the answer is not made before the client has gone.
    let release: (() => void) | undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    let isHeld: (() => void) | undefined
    const held = new Promise<void>((resolve) => (isHeld = resolve))
    const holding = store.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('chains').select('chain_id').execute()
      if (store.kind === 'postgres') {
        await transaction.schema.alterTable('chains').addColumn('held', 'int4').execute()
      }
      isHeld?.()
      await released
      throw new Error('undo')
    })
    await held
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${API_KEY_HEADER}: ${secret}\r\n\r\n`)
    await once(socket, 'ready')
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.destroy()
    await once(socket, 'close')
    await new Promise((resolve) => setTimeout(resolve, 50))
    release?.()
    await expect(holding).rejects.toThrow('undo')
    await expect.poll(log).toContain('"path":"/v1/evm/balances')
    expect(await usedInAll()).toBe(1)
  })

  it('tells the rate with every answer to a key, and refuses what is too fast', async () => {
    const { fetch, url, usedInAll } = await start({ rate: { requests: 3, seconds: 3600 } })
    const rate = ({ headers }: Response) =>
      ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))
    expect(rate(await fetch(path))).toEqual(['3', '2', '1200'])
    const wrong = await fetch(`${path}&limit=0`)
    expect(wrong.status).toBe(400)
    expect(rate(wrong).slice(0, 2)).toEqual(['3', '1'])
    expect(rate(await fetch(path)).slice(0, 2)).toEqual(['3', '0'])
    for (let again = 0; again < 2; again++) {
      const refused = await fetch(`${path}&limit=0`)
      expect(refused.status).toBe(429)
      expect(await refused.json()).toMatchObject({ code: 'RATE_EXCEEDED' })
      const wait = Number(refused.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(1000)
      expect(wait).toBeLessThanOrEqual(1200)
      expect(refused.headers.get('x-compute-units-cost')).toBe('0')
      expect(rate(refused).slice(0, 2)).toEqual(['3', '0'])
    }
    // Who has no key has no rate.
    expect(rate(await globalThis.fetch(url + path))).toEqual([null, null, null])
    expect(await usedInAll()).toBe(2)
  })

  it('limits a key without a rate of its own as configured for all', async () => {
    const { fetch } = await start()
    expect((await fetch(path)).headers.get('x-ratelimit-limit')).toBe('100000')
  })

  it('lets browsers read every header that it sends', async () => {
    const { fetch } = await start({ unitsQuota: 10 })
    const { headers } = await fetch(path)
    const exposed = headers.get('access-control-expose-headers')?.split(',') ?? []
    const own = [...headers.keys()].filter((name) => name.startsWith('x-') || name === 'etag')
    expect(own.sort()).toEqual([
      'etag',
      'x-block-numbers',
      'x-compute-units-cost',
      'x-compute-units-remaining',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'x-request-id',
    ])
    const lower = exposed.map((name) => name.toLowerCase())
    expect(lower).toEqual(expect.arrayContaining([...own, 'retry-after']))
  })
})

describe('bounds of a request', () => {
  let store: Store
  beforeEach(async () => {
    store ??= await openMemoryStore()
    await emptyTables(store)
  })
  afterAll(() => store.close())
  const start = async () => {
    await seedChain(store.db, { chainId: 7, blocks: { 0: 1_700_000_000 } })
    return await startTestService(store, [testChainConfig(7)])
  }

  it('refuses a URL that is too long, and headers', async () => {
    const { fetch } = await start()
    const refusals = [
      [414, 'URL_TOO_LONG', await fetch(`${path}&offset=${'x'.repeat(9000)}`)],
      [431, 'HEADERS_TOO_LARGE', await fetch(path, { headers: { 'X-Long': 'x'.repeat(20_000) } })],
    ] as const
    for (const [status, code, response] of refusals) {
      expect(response.status).toBe(status)
      const { headers } = response
      expect(headers.get('content-type')).toMatch(/^application\/json/)
      expect(headers.get('x-compute-units-cost')).toBe('0')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      const body = (await response.json()) as Record<string, unknown>
      expect(body).toEqual({
        error: expect.stringMatching(/\w/) as string,
        message: body['error'],
        code,
        request_id: headers.get('x-request-id'),
      })
    }
    expect((await fetch(`${path}&offset=${'x'.repeat(7000)}`)).status).toBe(200)
  })

  it('refuses what is no HTTP in the same form', async () => {
    const { url } = await start()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('HELLO\r\n\r\n')
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      code: 'MALFORMED_REQUEST',
    })
  })

  it('answers of one chain while more than can be made at once wait for the silent node of another', async () => {
    for (const chainId of [7, 8]) {
      await seedChain(store.db, { chainId, blocks: { 0: 1_700_000_000 } })
    }
    const silent = createServer(() => {})
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const rpcUrls = [`http://127.0.0.1:${(silent.address() as AddressInfo).port}`]
    const chains = [testChainConfig(7, { rpcUrls }), testChainConfig(8)]
    const { fetch } = await startTestService(store, chains)
    const waiting = Array.from({ length: 40 }, async (_, index) => {
      const native = `/v1/evm/balances/${testAddress(0x1000 + index)}?chain_ids=7&filters=native`
      return (await fetch(native)).status
    })
    const other = fetch(`${path}&chain_ids=8`).then(({ status }) => status)
    expect(await Promise.race([...waiting, other])).toBe(200)
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]))
    silent.closeAllConnections()
    silent.close()
  })
})
