import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** The unprivileged user id that runs the server for root: PostgreSQL does not start as root. */
const unprivilegedUid = 65_534

/** Runs the server until the pipe closes, so that it ends with this process in any case, then removes its folder. */
const supervise = `"$1" -D "$3/data" -k "$3" -h '' -F >"$3/log" 2>&1 & read _; kill -INT $!; wait $!; rm -rf "$3"`

/**
 * Starts PostgreSQL from its npm binaries in a temporary folder, listening on a Unix socket there.
 *
 * @param binaries - the `initdb` and `postgres` programs.
 * @param settings - of the server, in addition to the defaults.
 * @returns the URL of its maintenance database, the process whose descendants are the server, and a function that stops it.
 */
export async function startPostgres(
  binaries: { initdb: string; postgres: string },
  settings: Readonly<Record<string, string>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-postgres-'))
  const user = process.getuid?.() === 0 ? { uid: unprivilegedUid, gid: unprivilegedUid } : {}
  try {
    const { initdb, postgres } = makeExecutable(binaries, folder, user)
    if (user.uid !== undefined) {
      chownAll(folder, user.uid)
    }
    const data = join(folder, 'data')
    execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
      ...user,
      cwd: folder,
      stdio: 'pipe',
    })
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
    appendFileSync(join(data, 'postgresql.conf'), lines.join(''))
    const server = spawn('/bin/sh', ['-c', supervise, 'sh', postgres, '', folder], {
      ...user,
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
    const stop = async () => {
      const ended = once(server, 'exit')
      server.stdin.end()
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
    try {
      await waitForServer(url)
    } catch (error) {
      await stop()
      throw error
    }
    return { url, stop, pid: server.pid }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Returns the programs, or copies if the user cannot run them: node_modules may be in a private folder. */
function makeExecutable(
  binaries: { initdb: string; postgres: string },
  folder: string,
  user: { uid?: number; gid?: number },
) {
  const { status } = spawnSync(binaries.postgres, ['--version'], { ...user, cwd: '/' })
  if (status === 0) {
    return binaries
  }
  const copy = join(folder, 'native')
  mkdirSync(copy)
  cpSync(resolve(dirname(binaries.postgres), '..'), copy, {
    recursive: true,
    verbatimSymlinks: true,
  })
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

function chownAll(folder: string, uid: number): void {
  chownSync(folder, uid, uid)
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) {
      chownSync(join(entry.parentPath, entry.name), uid, uid)
    }
  }
}

async function waitForServer(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (attempt === 300) {
        throw error
      }
      await delay(100)
    }
  }
}
