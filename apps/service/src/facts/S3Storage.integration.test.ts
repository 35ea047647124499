import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { arbitraryBlocks, arbitraryWorld } from '../../test/arbitraryBlocks.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { dumpTables } from '../../test/dumpTables.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { startS3 } from '../../test/startS3.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { FactsConfig } from '../config/Config.ts'
import { checkFacts } from '../doctor/checkFacts.ts'
import { formatReason } from '../formatReason.ts'
import { toStoredScope } from '../indexing/decode/StoredScope.ts'
import { isRead, mapVenues } from '../pricing/venues/venues.ts'
import { deleteChain } from '../store/partitions.ts'
import { StoreError } from '../store/StoreError.ts'
import { ChainFacts } from './ChainFacts.ts'
import { describeFile } from './describeFile.ts'
import { DuckDb } from './DuckDb.ts'
import { type FactKind, factKinds } from './factTables.ts'
import { openFactsStorage } from './openFactsStorage.ts'
import { runFactsCommand } from './runFactsCommand.ts'

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-s3-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const suffix = '._S3rver_object'

describe('openFactsStorage', () => {
  it('has the same operations on folders and on S3', async () => {
    const s3 = await startS3()
    const folder = createFolder()
    const local = { folder: join(folder, 'facts'), blocksPerChunk: 10, memoryLimit: '1GB' }
    for (const config of [local, s3.configure(join(folder, 'copies'), 50_000_000)]) {
      const storage = await openFactsStorage(config, '1')
      const write = async (name: string, content: string | Buffer) => {
        const file = join(folder, 'file')
        writeFileSync(file, content)
        const stored = { name, ...(await describeFile(file)) }
        await storage.add(file, stored)
        return stored
      }
      expect(await storage.list('manifest')).toEqual([])
      expect(await storage.read('manifest/a.json')).toBeUndefined()
      expect(await storage.create('manifest/a.json', '1')).toBe(true)
      expect(await storage.create('manifest/a.json', '2')).toBe(false)
      expect(await storage.read('manifest/a.json')).toBe('1')
      expect((await storage.list('manifest')).map(({ name }) => name)).toEqual(['manifest/a.json'])
      await storage.remove('manifest/a.json')
      await storage.remove('manifest/a.json')
      expect(await storage.create('manifest/a.json', '3')).toBe(true)

      const small = await write('blocks/a.parquet', 'small')
      expect(await storage.load([small])).toHaveLength(1)
      // In two parts where it is uploaded.
      const large = await write('blocks/b.parquet', Buffer.alloc(33 * 1024 ** 2, 7))
      const paths = await storage.load([large, small])
      expect((await describeFile(paths[0] as string)).sha256).toBe(large.sha256)
      expect(readFileSync(paths[1] as string, 'utf8')).toBe('small')
      const replaced = await write('blocks/a.parquet', 'other')
      expect(await storage.isIntact(replaced)).toBe(true)
      expect(await storage.isIntact({ ...replaced, name: 'c', sha256: 'ff' })).toBe(false)
      await storage.close()
    }
    expect(s3.requests.filter((each) => each.includes('partNumber='))).toHaveLength(2)

    // Local copies are limited, and those that were used longest ago are deleted.
    const cached = s3.configure(join(folder, 'copies'), 1e6)
    const storage = await openFactsStorage(cached, '1')
    const stored = { name: 'blocks/b.parquet', bytes: 33 * 1024 ** 2, sha256: 'ff' }
    await expect(storage.load([stored])).rejects.toThrow(/need 0\.035 GB.*cacheLimit/)
    await storage.load([])
    expect(readdirSync(join(folder, 'copies/1/copies')).length).toBeLessThan(3)
    await storage.close()
  })

  it('describes what an operator has to correct', async () => {
    const s3 = await startS3()
    const config = s3.configure(createFolder())
    const check = async (changed: FactsConfig = config) =>
      (await checkFacts({ facts: changed, chains: [] }))[0]
    expect(await check()).toMatchObject({
      level: 'ok',
      message: expect.stringContaining('can be written') as string,
    })
    expect(await check({ ...config, folder: 's3://missing/prefix' })).toMatchObject({
      level: 'error',
      message: expect.stringMatching(/NoSuchBucket.*create the bucket missing at http/) as string,
    })
    s3.setResponder(() => 503)
    const storage = await openFactsStorage(config, '1')
    const away = await storage.read('a').catch((error: unknown) => error)
    // Unlike an internal error, it is part of `/ready`.
    expect(away).toBeInstanceOf(StoreError)
    expect(formatReason(away)).toMatch(
      /not accessible .*: check that http.* runs and is reachable$/,
    )
    s3.setResponder(undefined)
    expect(await storage.read('a')).toBeUndefined()
    await storage.close()
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'wrong')
    expect((await check())?.message).toMatch(/InvalidAccessKeyId.*check AWS_ACCESS_KEY_ID/)
  })
})

it('is written by two processes at once', async () => {
  const s3 = await startS3()
  const folder = createFolder()
  const ledger = toStoredScope(testChainConfig(1)).ledger
  const hash = `0x${'11'.repeat(32)}`
  const chunk = { from: 0, to: 9, parentHash: `0x${'00'.repeat(32)}`, hash, time: 1 }
  const added = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const facts = await ChainFacts.open(s3.configure(join(folder, name)), {
        chainId: 1,
        genesisHash: hash,
        ledger,
      })
      const file = join(folder, `${name}.txt`)
      writeFileSync(file, '')
      const duckDb = await DuckDb.open({
        folder: join(folder, `${name}-spill`),
        memoryLimit: '64MB',
      })
      const texts = Object.fromEntries(factKinds.map((kind) => [kind, { file, rows: 0 }]))
      await facts.add(duckDb, chunk, texts as Record<FactKind, { file: string; rows: number }>)
      duckDb.close()
      await facts.close()
      return facts.chunks
    }),
  )
  expect(added[0]).toHaveLength(1)
  expect(added[1]).toEqual(added[0])
  expect(s3.requests.filter((each) => each.includes('DELETE'))).toEqual([])
})

describeEachStore('facts in S3', (openTestStore, kind) => {
  it.runIf(kind === 'pglite')('gives the same facts and rows as a folder', async () => {
    const s3 = await startS3()
    const folder = createFolder()
    const chain = new FakeChain()
    const [history = []] = fc.sample(arbitraryBlocks(40, 40), { numRuns: 1, seed: 5 })
    for (const events of history) {
      chain.mine(events)
    }
    const node = await startFakeNode(chain)
    onTestFinished(() => node.close())
    const { factory, marketplace, weth } = arbitraryWorld
    const config = testChainConfig(1, {
      pollIntervalMs: 10,
      rpcUrls: [node.url],
      wrappedNative: weth,
      finalityDepth: 8,
      ...mapVenues((option) => (isRead(option) ? [] : [factory])),
      marketplaces: [marketplace],
      priceHistory: { exactDays: 36_500, bucketMinutes: 5 },
    })
    const store = await openTestStore()
    const index = async (facts: FactsConfig) => {
      await deleteChain(store.db, 1)
      node.rpcRequests.length = 0
      const indexer = indexTestChain(store, config, { facts })
      await indexer.reaches(chain.head.hash)
      await indexer.stop()
      return await dumpTables(store)
    }
    const local = { folder: join(folder, 'facts'), blocksPerChunk: 10, memoryLimit: '256MB' }
    const expected = await index(local)
    // The server fails while chunks are written, and works again later.
    let failures = 6
    let puts = 0
    s3.setResponder(({ method }) =>
      method === 'PUT' && puts++ > 12 && failures-- > 0 ? 503 : undefined,
    )
    expect(await index(s3.configure(join(folder, 'first')))).toEqual(expected)
    s3.setResponder(undefined)
    const bucket = join(s3.directory, 'facts/some/prefix/1')
    const list = (root: string, name: string) => readdirSync(join(root, name)).sort()
    for (const kind of ['manifest', 'transfers', 'pool_events']) {
      const files = list(join(folder, 'facts/1'), kind)
      const objects = list(bucket, kind).filter((name) => name.endsWith(suffix))
      expect(objects).toEqual(files.map((name) => `${name}${suffix}`))
      for (const name of files) {
        const content = readFileSync(join(folder, 'facts/1', kind, name))
        expect(readFileSync(join(bucket, kind, `${name}${suffix}`))).toEqual(content)
      }
    }

    // Without local copies, a corrupted object and a chunk whose upload was interrupted are found, and only their blocks fetched.
    const [, second = ''] = list(bucket, 'transfers').filter((name) => name.endsWith(suffix))
    writeFileSync(join(bucket, 'transfers', second), 'corrupted')
    const [first = ''] = list(bucket, 'manifest').filter((name) => name.endsWith(suffix))
    rmSync(join(bucket, 'manifest', first))
    expect(await index(s3.configure(join(folder, 'second')))).toEqual(expected)
    const numbers = node.rpcRequests.flatMap(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] !== 'latest' ? [Number(params[0])] : [],
    )
    const fetched = numbers.filter((number) => number > 0 && number < 24)
    expect(new Set(fetched.map((number) => Math.floor(number / 10)))).toEqual(new Set([0, 1]))
    // A limit that is too low is an error before all files are downloaded to compare them.
    s3.requests.length = 0
    await deleteChain(store.db, 1)
    const limited = indexTestChain(store, config, {
      facts: s3.configure(join(folder, 'limited'), 1),
    })
    await expect(limited.ended).rejects.toThrow(/need 0\.\d+ GB.*facts\.s3\.cacheLimit.*raise it/)
    expect(s3.requests.filter((each) => each.includes('.parquet'))).toEqual([])
    const verify = () =>
      runFactsCommand({ facts: s3.configure(join(folder, 'third')) }, { chainId: 1, verify: true })
    expect(await verify()).toMatch(/blocks 0 to 29 in 3 files[^]*all files have their hashes/)
    expect(readdirSync(join(folder, 'third'))).toEqual([])
  })
})
