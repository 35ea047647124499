import { spawn } from 'node:child_process'

/**
 * Sees to it that a process ends when this one does, even when this one is killed without warning: a shell waits for
 * a word from us, and when our end of its input closes without one, it kills the process.
 *
 * @returns says the word: from then on the process is on its own
 */
export function endWithUs(pid: number): () => void {
  if (process.platform === 'win32') {
    return () => undefined
  }
  const guard = spawn('sh', ['-c', `read word || kill -9 ${pid.toString()}`], {
    // A group of its own, or Ctrl-C would end the guard before its time.
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
