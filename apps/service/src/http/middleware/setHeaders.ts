import type { Context } from 'hono'

/** Sets headers of the answer that is to come, whatever it will be. */
export function setHeaders(context: Context, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    context.header(name, value)
  }
}
