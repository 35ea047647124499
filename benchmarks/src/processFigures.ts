import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second of CPU times on Linux. */
const ticks = 100

/** Resources that a process and its children have used. Linux only. */
interface ProcessFigures {
  /** Sum of the peak resident memory of each process, in megabytes. */
  readonly peakMemory: number
  /** CPU time of all threads in seconds, which is independent of other load on the machine. */
  readonly cpuSeconds: number
}

/** Reads the figures of a process and its children. Of exited children, only the CPU time is known. */
export function processFigures(pid: number): ProcessFigures {
  const all = [pid, ...childrenOf(pid)]
  return {
    peakMemory: all.reduce((sum, each) => sum + peakMemoryOf(each), 0),
    cpuSeconds: all.reduce((sum, each) => sum + cpuSecondsOf(each), 0),
  }
}

function peakMemoryOf(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(read(pid, 'status'))?.[1]
  return Math.round(Number(kilobytes ?? 0) / 1024)
}

function cpuSecondsOf(pid: number): number {
  // Its own user and system time, then that of its exited children.
  const times = statOf(pid).slice(11, 15).map(Number)
  return times.reduce((sum, each) => sum + each, 0) / ticks
}

/**
 * The CPU time of each connection of a PostgreSQL server in nanoseconds, by process id. Its other processes, such as those that
 * vacuum or help a connection, are not included. Linux only.
 *
 * @param pid - the process whose descendants are the server.
 */
export function readConnectionCpu(pid: number): Map<number, number> {
  return new Map(
    childrenOf(pid)
      .filter((each) => read(each, 'cmdline').includes('[local]'))
      .map((each) => [each, Number(read(each, 'schedstat').split(' ')[0])]),
  )
}

function childrenOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(statOf(Number(entry))[1]) === pid)
    .map(Number)
  return children.flatMap((child) => [child, ...childrenOf(child)])
}

/** The fields after the program's name, which may contain any character. */
function statOf(pid: number): string[] {
  const stat = read(pid, 'stat')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
