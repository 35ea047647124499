/**
 * Runs a service until it has stopped. A database that never responds must not keep its process alive: the process exits with 1
 * if the service has not stopped this long after the signal.
 */
export async function stopInTime(
  run: () => Promise<void>,
  stop: AbortSignal,
  timeoutMs: number,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const exit = () => {
    process.stderr.write(
      `headwater: not stopped after ${timeoutMs / 1000} s, as the database or a pooler does not respond: ended\n`,
    )
    process.exit(1)
  }
  const onStop = () => (timer = setTimeout(exit, timeoutMs))
  if (stop.aborted) {
    onStop()
  }
  stop.addEventListener('abort', onStop, { once: true })
  try {
    await run()
  } finally {
    stop.removeEventListener('abort', onStop)
    clearTimeout(timer)
  }
}
