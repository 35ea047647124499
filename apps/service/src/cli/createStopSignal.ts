/**
 * A signal that aborts on `SIGINT`, on `SIGTERM`, or when the IPC channel to the parent process closes. A second `SIGINT`
 * or `SIGTERM` terminates the process immediately.
 */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  process.once('disconnect', stop)
  if (process.connected === false) {
    // It closed before the listener was added.
    stop()
  }
  return controller.signal
}
