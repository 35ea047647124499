import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

const program = '/usr/sbin/pgbouncer'
/** PgBouncer does not start as root. */
const unprivilegedUid = 65_534

/** Why PgBouncer cannot be started; undefined if it can. */
export const missingPgbouncer = existsSync(program)
  ? undefined
  : `${program} does not exist; apt-get install pgbouncer`

/** Starts PgBouncer before the database of a URL, with few connections to it, so that clients change between these. */
export async function startPgbouncer(
  databaseUrl: string,
  poolMode: 'session' | 'transaction',
): Promise<{ url: string; stop: () => Promise<void> }> {
  const target = new URL(databaseUrl)
  const name = target.pathname.slice(1)
  const host = target.searchParams.get('host') ?? target.hostname
  const folder = mkdtempSync(join(tmpdir(), 'headwater-pgbouncer-'))
  const user = process.getuid?.() === 0 ? { uid: unprivilegedUid, gid: unprivilegedUid } : {}
  if (user.uid !== undefined) {
    chownSync(folder, user.uid, user.gid)
  }
  const port = target.searchParams.get('port') ?? (target.port || '5432')
  const password = target.password && ` password=${decodeURIComponent(target.password)}`
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
${name} = host=${host} port=${port} user=${target.username}${password}
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
auth_type = any
pool_mode = ${poolMode}
default_pool_size = ${poolMode === 'session' ? 60 : 4}
max_client_conn = 500
`,
  )
  const child = spawn(program, [file], { ...user, cwd: '/', stdio: 'ignore' })
  const url = `postgres://headwater@localhost:6432/${name}?host=${encodeURIComponent(folder)}`
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilReachable(url)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

async function waitUntilReachable(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (attempt === 300) {
        throw error
      }
      await delay(50)
    }
  }
}
