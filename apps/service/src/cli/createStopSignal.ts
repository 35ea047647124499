/**
 * A signal that aborts when this process is told to end: by `SIGINT`, by `SIGTERM`, or because the program that started
 * it over IPC is gone. A second `SIGINT` or `SIGTERM` ends it at once.
 */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  process.once('disconnect', stop)
  return controller.signal
}
