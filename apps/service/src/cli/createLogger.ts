import { type Logger, pino } from 'pino'

/** Logs JSON lines to stderr, so that stdout is a command's answer alone. `LOG_LEVEL` sets how much; default `info`. */
export function createLogger(): Logger {
  const level = process.env['LOG_LEVEL'] || 'info'
  return pino(
    { level: level in pino.levels.values || level === 'silent' ? level : 'info' },
    pino.destination(2),
  )
}
