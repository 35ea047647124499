import { readdirSync, readFileSync } from 'node:fs'

/** The largest resident memory that a process and its children ever had, in megabytes. Linux only. */
export function peakMemory(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + highWaterMark(each), 0)
}

function highWaterMark(pid: number): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    return 0
  }
}

function childrenOf(pid: number): number[] {
  const found = readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      return parent === pid ? [Number(entry)] : []
    } catch {
      return []
    }
  })
  return found.flatMap((child) => [child, ...childrenOf(child)])
}
