import { type Logger, pino } from 'pino'

/**
 * Logs to stderr, so that stdout contains the output of a command only: lines of text to a terminal, otherwise JSON lines.
 * `LOG_LEVEL` sets the level, `LOG_FORMAT` (`text` or `json`) the format.
 */
export async function createLogger(): Promise<Logger> {
  const level = process.env['LOG_LEVEL'] || 'info'
  const format = process.env['LOG_FORMAT'] || (process.stderr.isTTY ? 'text' : 'json')
  return pino(
    { level: level in pino.levels.values || level === 'silent' ? level : 'info' },
    format === 'text' ? await createTextStream() : pino.destination(2),
  )
}

/** Its modules are loaded for text only. */
async function createTextStream() {
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    destination: 2,
    sync: true,
    colorize: process.stderr.isTTY && !process.env['NO_COLOR'],
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
    singleLine: true,
  })
}
