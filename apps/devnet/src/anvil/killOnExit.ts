import { spawn } from 'node:child_process'

/**
 * Kills a process when this one exits, even after SIGKILL: a shell reads from a pipe, and kills the process if the pipe
 * closes without a message.
 *
 * @returns a function that cancels this
 */
export function killOnExit(pid: number): () => void {
  if (process.platform === 'win32') {
    return () => undefined
  }
  const guard = spawn('sh', ['-c', `read word || kill -9 ${pid}`], {
    // In its own process group, so that Ctrl-C does not stop the guard.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => undefined)
  guard.stdin.on('error', () => undefined)
  guard.unref()
  return () => {
    guard.stdin.end('done\n')
  }
}
