import { type Config, readConfig } from './readConfig.ts'

/**
 * Reads `config.json` beside the page; `?key=…` in the page's address replaces the key.
 *
 * @returns The configuration, or null when there is none that can be used.
 */
export async function loadConfig(): Promise<Config | null> {
  try {
    const response = await fetch('./config.json', { cache: 'no-store' })
    return readConfig(await response.json(), location.search)
  } catch {
    return null
  }
}
