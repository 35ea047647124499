import { execFileSync, spawnSync } from 'node:child_process'

/**
 * Kills a process and all processes that it started, directly or indirectly.
 *
 * For npx: it passes SIGTERM on to a shell only, and pnpm and turbo start their children in process groups of their own.
 *
 * @param pid - Process id.
 */
export function killTree(pid) {
  const pids = new Set()
  let found = [pid]
  while (found.length > 0) {
    for (const id of found) {
      pids.add(id)
      // A suspended process starts no others while the list is made.
      signal(id, 'SIGSTOP')
    }
    found = descendants(pid).filter((id) => !pids.has(id))
  }
  for (const id of pids) {
    signal(id, 'SIGKILL')
  }
}

/**
 * Ids of the processes that a process started, directly or indirectly. Empty where `ps` does not exist.
 *
 * @param pid - Process id.
 */
export function descendants(pid) {
  const children = new Map()
  for (const line of processTable().trim().split('\n')) {
    const [id = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
    children.set(parent, [...(children.get(parent) ?? []), id])
  }
  const below = (id) => (children.get(id) ?? []).flatMap((child) => [child, ...below(child)])
  return below(pid)
}

/**
 * The process that runs a script of package.json, such as npm: the parent of the script, or of the shell between them.
 *
 * @param parent - process id of the parent of the script.
 */
export function runnerOf(parent) {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(parent)], {
    encoding: 'utf8',
  })
  const [, runner, command] = /^\s*(\d+)\s+(.*?)\s*$/.exec(stdout ?? '') ?? []
  return runner && /(^|\/)(ba|da|z|k)?sh$/.test(command) ? Number(runner) : parent
}

/**
 * Whether a process exists, without starting `ps`. A zombie exists.
 *
 * @param pid - Process id.
 */
export function exists(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Whether a process runs. An exited process stays in the process table as a zombie (Z) until its parent reads its exit
 * code.
 *
 * @param pid - Process id.
 */
export function isAlive(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}

function processTable() {
  try {
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

function signal(pid, name) {
  if (process.platform === 'win32' && name === 'SIGSTOP') {
    return
  }
  try {
    process.kill(pid, name)
  } catch {
    // It has exited.
  }
}
