import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { arbitraryBlocks, arbitraryWorld } from '../../test/arbitraryBlocks.ts'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { dumpTables } from '../../test/dumpTables.ts'
import { FakeChain, rpcReceipts } from '../../test/FakeChain.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { closeServer, listen } from '../../test/listen.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { ChainConfig } from '../config/Config.ts'
import { checkSource } from '../doctor/checkSource.ts'
import { DuckDb } from '../facts/DuckDb.ts'
import { commonFilter } from '../indexing/fetch/fetchBlocks.ts'
import { isRead, mapVenues } from '../pricing/venues/venues.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { deleteChain } from '../store/partitions.ts'
import { createSource } from './createSource.ts'
import { CryoSource } from './CryoSource.ts'
import { PortalSource } from './PortalSource.ts'
import { VerifiedSource } from './VerifiedSource.ts'

const { factory, marketplace, weth } = arbitraryWorld
const { signal } = new AbortController()

async function startChain() {
  const chain = new FakeChain()
  const [history = []] = fc.sample(arbitraryBlocks(100, 100), { numRuns: 1, seed: 21 })
  history.forEach((events) => chain.mine(events))
  const node = await startFakeNode(chain)
  onTestFinished(() => node.close())
  const config = testChainConfig(1, {
    pollIntervalMs: 10,
    rpcUrls: [node.url],
    wrappedNative: weth,
    finalityDepth: 8,
    ...mapVenues((option) => (isRead(option) ? [] : [factory])),
    marketplaces: [marketplace],
  })
  return { chain, node, config }
}

/** Writes blocks as `cryo blocks txs logs --include-columns parent_hash` does, in files of 40 blocks. */
async function writeCryo(
  chain: FakeChain,
  options: { hex?: boolean; last: number; subfolder?: string },
) {
  const root = mkdtempSync(join(tmpdir(), 'headwater-cryo-test-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, options.subfolder ?? '.')
  const duckDb = await DuckDb.open({ folder: join(folder, 'spill'), memoryLimit: '256MB' })
  const bytes = (hex: string | undefined) =>
    hex === undefined ? 'null' : options.hex ? `'${hex}'` : `unhex('${hex.slice(2)}')`
  const write = async (dataset: string, columns: string, rows: string[], name: string) =>
    await duckDb.run(
      `copy (select * from (values ${rows.join()}) as rows (${columns}) where block_number is not null)
       to '${join(folder, `network__${dataset}__${name}.parquet`)}' (format parquet)`,
    )
  for (let from = 0; from <= options.last; from += 40) {
    const to = Math.min(from + 39, options.last)
    const name = [from, to].map((block) => String(block).padStart(8, '0')).join('_to_')
    const blocks = chain.blocks.slice(from, to + 1)
    const receipts = blocks.flatMap((block) => rpcReceipts(block))
    await write(
      'blocks',
      'block_number, block_hash, parent_hash, timestamp',
      blocks.map(
        ({ number, hash, parentHash, time }) =>
          `(${number}::uinteger, ${bytes(hash)}, ${bytes(parentHash)}, ${time}::uinteger)`,
      ),
      name,
    )
    await write(
      'transactions',
      'block_number, transaction_index, from_address',
      receipts.map(
        ({ blockNumber, transactionIndex, from: sender }) =>
          `(${Number(blockNumber)}::uinteger, ${Number(transactionIndex)}::ubigint, ${bytes(sender)})`,
      ),
      name,
    )
    await write(
      'logs',
      'block_number, transaction_index, log_index, address, topic0, topic1, topic2, topic3, data',
      receipts.flatMap(({ blockNumber, transactionIndex, logs }) =>
        logs.map(({ logIndex, address, topics, data }) => {
          const words = [0, 1, 2, 3].map((index) => bytes(topics[index]))
          return `(${Number(blockNumber)}::uinteger, ${Number(transactionIndex)}::uinteger, ${Number(logIndex)}::uinteger, ${bytes(address)}, ${words.join()}, ${bytes(data)})`
        }),
      ),
      name,
    )
  }
  duckDb.close()
  return folder
}

/** Serves a chain as a portal: at most 7 blocks per stream, none above the last one that it has, and no larger ranges. */
async function startPortal(chain: FakeChain, last: number, maxBlocks = Infinity) {
  const queries: unknown[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const query = body as { fromBlock: number; toBlock: number; logs: [{ topic0: string[] }] }
      queries.push({ url: request.url, ...query, logs: undefined })
      if (query.toBlock - query.fromBlock >= maxBlocks) {
        return response.writeHead(413).end()
      }
      if (query.fromBlock > last) {
        return response.writeHead(204).end()
      }
      const to = Math.min(query.toBlock, last, query.fromBlock + 6)
      const lines = chain.blocks.slice(query.fromBlock, to + 1).map((block) => {
        const { number, hash, parentHash, time: timestamp } = block
        const logs = rpcReceipts(block).flatMap((receipt) =>
          receipt.logs
            .filter(({ topics: [topic = ''] }) => query.logs[0].topic0.includes(topic))
            .map(({ logIndex, address, topics, data }) => ({
              logIndex: Number(logIndex),
              address,
              topics,
              data,
              transactionIndex: Number(receipt.transactionIndex),
              sender: receipt.from,
            })),
        )
        return {
          header: { number, hash, parentHash, timestamp },
          logs: logs.map(({ sender: _, ...log }) => log),
          transactions: logs.map(({ transactionIndex, sender: from }) => ({
            transactionIndex,
            from,
          })),
        }
      })
      response.writeHead(200, { 'content-type': 'application/jsonl' })
      return response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    })
  })
  const url = await listen(server)
  onTestFinished(() => closeServer(server))
  return { url: `${url}/datasets/test`, queries }
}

async function index(config: ChainConfig, hash: string) {
  const store = await openSharedStore('pglite')
  await deleteChain(store.db, config.id)
  const indexer = indexTestChain(store, config)
  await indexer.reaches(hash)
  await indexer.stop()
  return await dumpTables(store)
}

describe('sources', () => {
  it('have the blocks of the nodes, which are requested for the rest and for samples only', async () => {
    const { chain, node, config } = await startChain()
    const expected = await index(config, chain.head.hash)
    const portal = await startPortal(chain, 60)
    const limited = await startPortal(chain, 79, 20)
    const sources = [
      { cryo: await writeCryo(chain, { last: 79 }) },
      { cryo: await writeCryo(chain, { last: 79, hex: true, subfolder: 'timestamp=7' }) },
      { portal: portal.url },
      { portal: limited.url },
    ]
    for (const source of sources) {
      node.rpcRequests.length = 0
      expect(await index({ ...config, source }, chain.head.hash)).toEqual(expected)
      const requested = node.rpcRequests.filter(
        ({ method, params }) => method === 'eth_getBlockByNumber' && Number(params[0]) < 60,
      )
      expect(new Set(requested.map(({ params }) => params[0])).size).toBeLessThan(20)
    }
    expect(portal.queries[0]).toMatchObject({
      url: '/datasets/test/finalized-stream',
      type: 'evm',
      fromBlock: 0,
      includeAllBlocks: true,
    })
  })

  it('are read from each file once, also where files overlap, and name one that cannot be read', async () => {
    const { chain } = await startChain()
    const folder = await writeCryo(chain, { last: 79 })
    const fetch = async (from: number, to: number) => {
      const source = new CryoSource(folder)
      try {
        return await source.fetch({ from, to }, commonFilter, signal)
      } finally {
        await source.close()
      }
    }
    const expected = await fetch(0, 79)
    expect(expected.blocks).toHaveLength(80)
    const getFile = (dataset: string, name: string) =>
      join(folder, `network__${dataset}__${name}.parquet`)
    const name = '00000000_to_00000039'
    for (const dataset of ['blocks', 'logs', 'transactions']) {
      copyFileSync(getFile(dataset, name), getFile(dataset, '00000010_to_00000039'))
    }
    const source = new CryoSource(folder)
    const parts = await Promise.all(
      [0, 20, 40, 60].map((from) => source.fetch({ from, to: from + 19 }, commonFilter, signal)),
    )
    expect(parts.flatMap(({ logs }) => logs)).toEqual(expected.logs)
    expect(parts.flatMap(({ blocks }) => blocks)).toEqual(expected.blocks)
    await source.close()

    const logs = getFile('logs', name)
    const bytes = readFileSync(logs)
    writeFileSync(logs, bytes.subarray(0, bytes.length - 9))
    await expect(fetch(30, 50)).rejects.toThrow(
      /The source cryo .* cannot read .*logs__00000000_to_00000039.parquet: .*Write it again with cryo logs/,
    )
    writeFileSync(logs, bytes)
    const duckDb = await DuckDb.open({ folder: join(folder, 'spill'), memoryLimit: '256MB' })
    await duckDb.run(
      `copy (select * replace (log_index::double as log_index) from read_parquet('${logs}')) to '${logs}.new' (format parquet)`,
    )
    duckDb.close()
    renameSync(`${logs}.new`, logs)
    await expect(fetch(30, 50)).rejects.toThrow(
      /has DOUBLE in column log_index of .*logs__00000000_to_00000039.parquet, which must be an integer/,
    )
  })

  it('are checked by headwater doctor', async () => {
    const { chain, config } = await startChain()
    const check = (source: ChainConfig['source']) =>
      checkSource(source ? { ...config, source } : config, config.rpcUrls)
    expect(await check(undefined)).toEqual([])
    const { url } = await startPortal(chain, 60)
    expect(await check({ portal: url })).toMatchObject([{ level: 'ok' }])
    const missing = await startPortal(chain, -1)
    expect(await check({ portal: missing.url })).toMatchObject([
      { level: 'warning', message: expect.stringContaining('lacks block 0') },
    ])
    const server = createServer((_, response) => response.writeHead(401).end())
    const rejecting = await listen(server)
    onTestFinished(() => closeServer(server))
    expect(await check({ portal: rejecting })).toMatchObject([
      { level: 'warning', message: expect.stringContaining('HTTP status 401') },
    ])
    // A path that cannot be created.
    const nowhere = '/dev/null/nowhere'
    expect(await check({ cryo: nowhere })).toMatchObject([{ level: 'error' }])
    const cryo = await writeCryo(chain, { last: 39 })
    vi.stubEnv('TMPDIR', nowhere)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await check({ cryo })).toMatchObject([
      { level: 'error', message: expect.stringContaining(nowhere) },
    ])
  })

  it('are replaced by the nodes while they fail', async () => {
    const { config } = await startChain()
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.writeHead(503).end()
    })
    const url = await listen(server)
    onTestFinished(() => closeServer(server))
    const failures: string[] = []
    const source = createSource(
      { source: { portal: url } },
      new ChainNode(config.rpcUrls),
      ({ message }) => failures.push(message),
    )
    for (const from of [0, 10]) {
      const found = await source?.fetch({ from, to: from + 9 }, commonFilter, signal)
      expect(found?.blocks).toEqual([])
    }
    expect(requests).toBe(1)
    expect(failures).toEqual([expect.stringContaining('responded with HTTP status 503')])
  })

  it('are replaced by the nodes when they return something else than blocks', async () => {
    const { chain, config } = await startChain()
    const [block] = chain.blocks
    const header = { ...block, timestamp: block?.time, events: undefined }
    const log = {
      logIndex: 0,
      transactionIndex: 0,
      address: weth,
      topics: commonFilter.topics,
      data: '0x',
    }
    const transactions = [{ transactionIndex: 0, from: factory }]
    let response = ''
    const server = createServer((_, served) => served.end(response))
    const url = await listen(server)
    onTestFinished(() => closeServer(server))
    for (const line of [
      null,
      { header: null },
      { header, logs: null },
      { header, logs: [null] },
      { header, logs: [{ ...log, topics: undefined }], transactions },
      { header, logs: [{ ...log, logIndex: '0' }], transactions },
      { header, logs: [{ ...log, logIndex: 0.5 }], transactions },
      { header, logs: [log], transactions: [null] },
    ]) {
      response = `${JSON.stringify(line)}\n`
      const failures: unknown[] = []
      const node = new ChainNode(config.rpcUrls)
      const onFailure = (error: unknown) => failures.push(error)
      const source = new VerifiedSource(new PortalSource(url), node, onFailure)
      const found = await source.fetch({ from: 0, to: 0 }, commonFilter, signal)
      expect(found.blocks, response).toEqual([])
      expect(failures).toMatchObject([{ kind: 'malformed' }])
    }
  })

  it('are rejected where they differ from the nodes', async () => {
    const { chain, config } = await startChain()
    const other = new FakeChain()
    for (const [at, { events }] of chain.blocks.slice(1).entries()) {
      other.mine(at === 20 ? events.slice(1) : events)
    }
    // The hashes of a fake chain do not depend on its events.
    expect(other.head.hash).toBe(chain.head.hash)
    const replaced = new FakeChain('replaced')
    chain.blocks.slice(1).forEach(({ events }) => replaced.mine(events))
    const node = new ChainNode(config.rpcUrls)
    const fetch = async (source: CryoSource | PortalSource, random: () => number, to = 21) =>
      await new VerifiedSource(source, node, () => {}, random).fetch(
        { from: 21, to },
        commonFilter,
        signal,
      )
    for (const create of [
      async (of: FakeChain) => {
        const source = new CryoSource(await writeCryo(of, { last: 79 }))
        onTestFinished(() => source.close())
        return source
      },
      async (of: FakeChain) => new PortalSource((await startPortal(of, 79)).url),
    ]) {
      await expect(fetch(await create(other), () => 0)).rejects.toThrow(
        /The source .* has \d+ logs of block 21 and the nodes \d+.*remove source/,
      )
      await expect(fetch(await create(replaced), () => 0.5, 40)).rejects.toThrow(
        'has another block 40 than the nodes',
      )
      const part = await fetch(await create(chain), () => 0.5, 90)
      expect(part.blocks.at(-1)?.number).toBe(79)
    }
  })
})
