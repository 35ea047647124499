// A drill of failures and of an upgrade under load: PostgreSQL with a streaming replica behind HAProxy, two processes that serve
// and two that index. Prints the failed requests of each phase, and fails if a response is wrong or units are lost.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { API_KEY_HEADER } from '@headwater/contract'
import { createKey } from '../../src/keys/createKey.ts'
import { openStore } from '../../src/store/openStore.ts'
import { FakeChain } from '../FakeChain.ts'
import { closeServer } from '../listen.ts'
import { startFakeNode } from '../startFakeNode.ts'
import { startServiceProcess } from '../startServiceProcess.ts'
import { installRevision } from './installRevision.ts'
import { databaseUrl, query, startPostgresPair } from './PostgresPair.ts'
import { printPhases } from './printPhases.ts'
import { Traffic } from './Traffic.ts'
import { writeHaproxyConfig } from './writeHaproxyConfig.ts'

const chainId = 4242
const blockMs = 500
/** The primary is away for this long before the standby is promoted. */
const outageMs = 5_000
const debianFolder = '/usr/lib/postgresql'
const haproxy = '/usr/sbin/haproxy'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    revision: { type: 'string' },
  },
})
const phaseMs = 1000 * Number(values.seconds)
const binaries = findPrograms()
const folder = mkdtempSync(join(tmpdir(), 'headwater-failover-'))
// The user of the database needs access to its folder.
chmodSync(folder, 0o755)
const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopAll().then(() => process.exit(1)))
}
try {
  await run()
} finally {
  await stopAll()
}

async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) {
    await stop()
  }
}

async function run(): Promise<void> {
  const { revision } = values
  if (revision !== undefined) {
    console.error(`packing and installing ${revision} …`)
  }
  const previous =
    revision === undefined ? undefined : installRevision(revision, join(folder, 'previous'))
  const [database, api, primary, standby, ...ports] = await findFreePorts(8)
  const pair = await startPostgresPair(binaries, join(folder, 'postgres'), [primary!, standby!])
  stops.push(pair.stop)
  const services = ports.slice(0, 2)
  startHaproxy({ database: database!, api: api!, primary: primary!, standby: standby!, services })

  const traffic = new Traffic(chainId)
  const chain = new FakeChain()
  for (let block = 0; block < 40; block++) {
    traffic.mine(chain)
  }
  const node = await startFakeNode(chain, chainId)
  stops.push(() => node.close())
  const mining = setInterval(() => traffic.mine(chain), blockMs)
  stops.push(() => clearInterval(mining))

  const config = join(folder, 'headwater.config.json')
  writeFileSync(config, JSON.stringify({ chains: [describeChain(node.url)] }))
  const start = async (main: string | undefined, role: string, port: number) => {
    const args = ['start', '--config', config, '--port', String(port), '--role', role]
    const environment = {
      DATABASE_URL: databaseUrl(database!),
      DATABASE_REPLICA_URL: role === 'serve' ? databaseUrl(standby!) : '',
    }
    const service = startServiceProcess(args, environment, true, main)
    stops.push(() => service.kill('SIGKILL'))
    await service.waitFor('ready')
    return { ...service, role, port }
  }
  const first = await start(previous, 'index', ports[2]!)
  const running = [
    first,
    await start(previous, 'index', ports[3]!),
    await start(previous, 'serve', services[0]!),
    await start(previous, 'serve', services[1]!),
  ]
  const secret = await issueKey(databaseUrl(primary!))
  const stopped = new AbortController()
  stops.push(() => stopped.abort())
  await waitUntilServed(`http://127.0.0.1:${api}`, secret)

  traffic.startPhase('all processes run')
  const sending = traffic.run(`http://127.0.0.1:${api}`, secret, stopped.signal)
  await delay(phaseMs)

  traffic.startPhase(previous ? 'roll to this version' : 'restart each process')
  for (const [index, old] of running.entries()) {
    await old.kill('SIGTERM')
    running[index] = await start(undefined, old.role, old.port)
    await delay(2_000)
  }

  traffic.startPhase('kill the process that indexes')
  const active = running.find((each) => each.role === 'index' && !isStandby(each))
  await active!.kill('SIGKILL')
  await delay(phaseMs)

  traffic.startPhase('kill the primary')
  await pair.killPrimary()
  await delay(outageMs)
  traffic.startPhase('promote the standby')
  await pair.promote()
  await delay(phaseMs)

  stopped.abort()
  await sending
  const head = chain.head.number
  await delay(1_000)
  // What a process has not written yet is written when it ends.
  for (const each of running) {
    await each.kill('SIGTERM')
  }
  const [key] = await query<{ units_used: string }>(standby!, 'select units_used from keys')
  const isComplete = printPhases(traffic, { head, units: Number(key?.units_used) })
  process.exitCode = isComplete ? 0 : 1
}

function describeChain(rpcUrl: string): object {
  return {
    id: chainId,
    name: 'drill',
    tags: ['default'],
    rpcUrls: [{ url: rpcUrl, requestsPerSecond: 10_000 }],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    history: 'index',
    finalityDepth: 8,
    pollIntervalMs: 100,
    blockTimeSeconds: 1,
    audit: { callsPerMinute: 0 },
  }
}

/** The folder of PostgreSQL's programs; ends the process if something is not installed. */
function findPrograms(): string {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).map(Number) : []
  const newest = versions.sort((a, b) => b - a)[0]
  const found = join(debianFolder, String(newest), 'bin')
  const missing = [
    ...(existsSync(join(found, 'pg_basebackup')) ? [] : ['postgresql']),
    ...(existsSync(haproxy) ? [] : ['haproxy']),
  ]
  if (missing.length > 0) {
    console.error(`Install ${missing.join(' and ')} first: apt-get install ${missing.join(' ')}`)
    process.exit(1)
  }
  return found
}

async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => closeServer(server)))
  return ports
}

function startHaproxy(ports: Parameters<typeof writeHaproxyConfig>[1]): void {
  const file = join(folder, 'haproxy.cfg')
  writeHaproxyConfig(file, ports)
  const child = spawn(haproxy, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  stops.push(() => child.kill('SIGKILL'))
}

async function issueKey(url: string): Promise<string> {
  const store = await openStore({ databaseUrl: url })
  const rate = { requests: 100_000, seconds: 1 }
  const { secret } = await createKey(store.db, { name: 'drill', rate })
  await store.close()
  return secret
}

/** Whether a process that stood by has not taken over since. */
function isStandby({ printed }: ReturnType<typeof startServiceProcess>): boolean {
  const latest = (text: string) => printed.stderr.lastIndexOf(text)
  return latest('standing by') > latest('indexed up to the head')
}

async function waitUntilServed(url: string, secret: string): Promise<void> {
  const path = `${url}/v1/evm/balances/0x${'ab'.repeat(20)}?filters=erc20&chain_ids=${chainId}`
  while (
    !(await fetch(path, { headers: { [API_KEY_HEADER]: secret } }).catch(() => undefined))?.ok
  ) {
    await delay(200)
  }
}
