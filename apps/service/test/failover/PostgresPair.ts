import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** PostgreSQL does not start as root. */
const unprivilegedUid = 65_534

/** A primary and a streaming replica of it, which can take its place. */
export interface PostgresPair {
  readonly primaryPort: number
  readonly standbyPort: number
  /** Ends the primary with all of its processes at once, as a loss of power does. */
  readonly killPrimary: () => Promise<void>
  /** Makes the replica the primary. */
  readonly promote: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Starts two servers on free ports of the loopback interface, in folders below `folder`.
 *
 * @param binaries - the folder of `initdb`, `postgres` and `pg_basebackup`.
 */
export async function startPostgresPair(
  binaries: string,
  folder: string,
  [primaryPort, standbyPort]: readonly [number, number],
): Promise<PostgresPair> {
  const user = process.getuid?.() === 0 ? { uid: unprivilegedUid, gid: unprivilegedUid } : {}
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(binaries, program), args, { ...user, cwd: '/', stdio: 'pipe' })
  const primaryFolder = join(folder, 'primary')
  const standbyFolder = join(folder, 'standby')
  const start = async (data: string, port: number): Promise<ChildProcess> => {
    const log = openSync(`${data}.log`, 'a')
    const server = spawn(join(binaries, 'postgres'), ['-D', data, '-p', String(port)], {
      ...user,
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
    })
    await waitUntilReachable(port)
    return server
  }
  mkdirSync(folder, { recursive: true })
  if (user.uid !== undefined) {
    chownSync(folder, user.uid, user.gid)
  }
  run('initdb', '-D', primaryFolder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync')
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: '300',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  appendFileSync(join(primaryFolder, 'postgresql.conf'), lines.join(''))
  const primary = await start(primaryFolder, primaryPort)
  run(
    ...([
      'pg_basebackup',
      '-D',
      standbyFolder,
      '--write-recovery-conf',
      '--checkpoint=fast',
    ] as const),
    ...['--dbname', `postgres://postgres@127.0.0.1:${primaryPort}/postgres`],
  )
  const standby = await start(standbyFolder, standbyPort)
  const kill = async (server: ChildProcess, signal: NodeJS.Signals) => {
    if (server.exitCode === null && server.signalCode === null) {
      const ended = once(server, 'exit')
      // The group has the processes of all connections.
      process.kill(-(server.pid ?? NaN), signal)
      await ended
    }
  }
  return {
    primaryPort,
    standbyPort,
    killPrimary: () => kill(primary, 'SIGKILL'),
    async promote() {
      await query(standbyPort, 'select pg_promote()')
    },
    async stop() {
      await kill(primary, 'SIGKILL')
      await kill(standby, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a statement on the server of a port. */
export async function query<Row>(port: number, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl(port) })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** The URL of the database of the server of a port. */
export function databaseUrl(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`
}

async function waitUntilReachable(port: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await query(port, 'select 1')
      return
    } catch (error) {
      if (attempt === 300) {
        throw error
      }
      await delay(100)
    }
  }
}
