import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, it, onTestFinished } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { testAddress } from '../../test/seedChain.ts'
import { startCuttingProxy } from '../../test/startCuttingProxy.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { startServiceProcess } from '../../test/startServiceProcess.ts'
import { createKey } from '../keys/createKey.ts'
import { openStore } from '../store/openStore.ts'

const wallet = testAddress(0xab)
const polling = { timeout: 60_000, interval: 100 }

interface Body {
  readonly code?: string
  readonly next_offset?: string
  readonly balances?: readonly { chain_id: number; amount: string }[]
  readonly warnings?: readonly { code: string; chain_id: number }[]
}

/** A chain whose only wallet receives a unit in each of its blocks. */
async function startChain(id: number) {
  const chain = new FakeChain(String(id))
  const mine = () =>
    chain.mine([
      {
        type: 'transfer',
        token: testAddress(0x100 + id),
        from: testAddress(0),
        to: wallet,
        amount: 1n,
      },
    ])
  mine()
  const node = await startFakeNode(chain, id)
  onTestFinished(() => node.close())
  const config = {
    id,
    name: `chain ${id}`,
    tags: ['default'],
    rpcUrls: [node.url],
    pollIntervalMs: 50,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  }
  return { config, mine, minted: () => chain.head.number }
}

async function createDatabase() {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  return url
}

it.skipIf('missing' in inject('postgres'))(
  'places a chain in another database, which may be away',
  { timeout: 180_000 },
  async () => {
    const first = await startChain(901)
    const second = await startChain(902)
    const mainUrl = await createDatabase()
    const otherUrl = await createDatabase()
    const proxy = await startCuttingProxy(otherUrl)
    onTestFinished(proxy.close)
    proxy.setAway(true)
    const folder = mkdtempSync(join(tmpdir(), 'headwater-databases-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'headwater.config.json')
    const chains = [first.config, { ...second.config, databaseUrl: proxy.url }]
    writeFileSync(file, JSON.stringify({ databaseUrl: mainUrl, chains }))
    const run = (args: string[], from = file, environment: NodeJS.ProcessEnv = {}) => {
      const process = startServiceProcess([...args, '--config', from], environment)
      onTestFinished(async () => void (await process.kill('SIGKILL')))
      return process
    }
    const runCommand = async (...args: string[]) => {
      const { ended, printed } = run(args)
      await ended
      return printed.stdout
    }

    // The other database is away at the start.
    const indexer = run(['start', '--role', 'index', '--port', '0'])
    const { url } = await run(['start', '--role', 'serve', '--port', '0']).waitFor('ready')
    await indexer.waitFor('ready')
    const main = await openStore({ databaseUrl: mainUrl })
    onTestFinished(() => main.close())
    const { secret } = await createKey(main.db, { name: 'test' })
    const read = async (query = ''): Promise<Body> => {
      const response = await fetch(`${url}/v1/evm/balances/${wallet}?filters=erc20${query}`, {
        headers: { [API_KEY_HEADER]: secret },
      })
      return (await response.json()) as Body
    }
    const amounts = async () =>
      (await read()).balances?.map(({ chain_id, amount }) => [chain_id, Number(amount)])
    const expectOnlyFirst = async () => {
      first.mine()
      await expect.poll(amounts, polling).toEqual([[901, first.minted()]])
      expect((await read()).warnings).toMatchObject([{ code: 'STORE_UNAVAILABLE', chain_id: 902 }])
      // Until then, the latest balances are in memory.
      await expect
        .poll(() => read('&chain_ids=902'), polling)
        .toMatchObject({ code: 'STORE_UNAVAILABLE' })
      const response = await fetch(`${url}/ready`)
      expect([response.status, await response.json()]).toMatchObject([
        200,
        {
          chains: [
            { chain_id: 901, available: true },
            {
              chain_id: 902,
              available: false,
              failure: expect.stringMatching(
                /^its database is unavailable \(.+\): check its URL/,
              ) as string,
            },
          ],
        },
      ])
      expect((await fetch(`${url}/ready?chain_ids=902`)).status).toBe(503)
    }
    const expectBoth = async () => {
      const expected = [first, second].map(({ config, minted }) => [config.id, minted()])
      await expect.poll(amounts, polling).toEqual(expected)
    }
    await expectOnlyFirst()

    proxy.setAway(false)
    await expectBoth()
    second.mine()
    await expectBoth()
    // A page continues in the other database.
    const page = await read('&limit=1')
    expect(page.balances).toMatchObject([{ chain_id: 901 }])
    const next = await read(`&limit=1&offset=${page.next_offset}`)
    expect(next.balances).toMatchObject([{ chain_id: 902 }])
    expect(next.next_offset).toBeUndefined()
    // The chains and keys are only where they belong.
    const other = await openStore({ databaseUrl: otherUrl })
    onTestFinished(() => other.close())
    const countRows = async ({ db }: typeof main) => {
      const { rows } = await sql<{ chains: number[] | null; keys: number }>`
        select (select array_agg(chain_id::int) from chains) as chains,
          (select count(*)::int from keys) as keys`.execute(db)
      return rows[0]
    }
    expect(await countRows(main)).toEqual({ chains: [901], keys: 1 })
    expect(await countRows(other)).toEqual({ chains: [902], keys: 0 })

    // Commands find the database of their chain.
    expect(await runCommand('chain', 'reset', '--chain', '902', '--yes')).toContain('was reset')
    await expectBoth()
    // Also once the chain left the configuration.
    const without = join(folder, 'without.config.json')
    writeFileSync(without, JSON.stringify({ databaseUrl: mainUrl, chains: [first.config] }))
    const status = ['chain', 'status', '--chain', '902']
    const lost = run(status, without)
    const named = run(status, without, { DATABASE_URL_902: otherUrl })
    expect([await lost.ended, await named.ended]).toEqual([1, 0])
    expect(lost.printed.stderr).toContain('the variable DATABASE_URL_902 must name its database')
    expect(named.printed.stdout).toMatch(/^chain 902: not in the configuration/)
    expect(await runCommand('doctor')).toMatch(/ok +database of chain 902: is PostgreSQL/)

    proxy.setAway(true)
    await expectOnlyFirst()
    expect(await runCommand('chain', 'status')).toMatch(
      /^chain 901: synced\n[^]*\nchain 902: The database of chain 902 cannot be used \(.*\): check its URL/,
    )
    proxy.setAway(false)
    second.mine()
    await expectBoth()
  },
)
