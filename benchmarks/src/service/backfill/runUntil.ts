import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { processFigures } from '../../processFigures.ts'

/**
 * Runs a program until it is done, and measures the time from its start.
 *
 * @param isDone - Resolves when the program is done; without it, the program runs until it exits.
 * @throws {Error} with the end of its output when it exits early or fails.
 */
export async function runUntil(
  command: readonly [string, ...string[]],
  options: {
    readonly cwd: string
    readonly env: NodeJS.ProcessEnv
    readonly ipc?: boolean
    readonly signal?: AbortSignal | undefined
  },
  isDone?: (child: ChildProcess) => Promise<unknown>,
): Promise<{ seconds: number; cpuSeconds: number; peakMemory: number }> {
  const [program, ...args] = command
  const start = performance.now()
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe', ...(options.ipc ? (['ipc'] as const) : [])],
  })
  let output = ''
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000))
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const pid = child.pid ?? 0
  let figures = processFigures(pid)
  // The figures of an exited process are not readable, so they are sampled.
  const watching = setInterval(() => (figures = newer(figures, processFigures(pid))), 100)
  const ended = once(child, 'exit').then(([code]) => {
    if (isDone === undefined && code === 0) {
      return
    }
    throw new Error(`${program} exited with ${String(code)}:\n${output}`)
  })
  const stop = () => child.kill('SIGTERM')
  options.signal?.addEventListener('abort', stop, { once: true })
  try {
    await (isDone ? Promise.race([isDone(child), ended]) : ended)
    const seconds = (performance.now() - start) / 1000
    return { seconds, ...newer(figures, processFigures(pid)) }
  } finally {
    clearInterval(watching)
    options.signal?.removeEventListener('abort', stop)
    ended.catch(() => {})
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await once(child, 'exit')
      clearTimeout(force)
    }
  }
}

type Figures = ReturnType<typeof processFigures>

function newer(a: Figures, b: Figures): Figures {
  return {
    peakMemory: Math.max(a.peakMemory, b.peakMemory),
    cpuSeconds: Math.max(a.cpuSeconds, b.cpuSeconds),
  }
}
