/**
 * A signal that aborts on `SIGINT`, on `SIGTERM`, or when the IPC channel to the parent process closes. A second `SIGINT`
 * or `SIGTERM` terminates the process immediately.
 *
 * @param exitAfterMs - ends the process this long after the signal: a database that never responds must not keep it alive.
 */
export function createStopSignal(exitAfterMs?: number): AbortSignal {
  const controller = new AbortController()
  const exit = (afterMs: number) => {
    process.stderr.write(
      `headwater: not stopped after ${afterMs / 1000} s, as the database or a pooler does not respond: ended\n`,
    )
    process.exit(1)
  }
  const stop = () => {
    controller.abort()
    if (exitAfterMs !== undefined) {
      setTimeout(exit, exitAfterMs, exitAfterMs).unref()
    }
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  process.once('disconnect', stop)
  if (process.connected === false) {
    // It closed before the listener was added.
    stop()
  }
  return controller.signal
}
