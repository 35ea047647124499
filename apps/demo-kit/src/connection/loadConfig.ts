import { type Config, readConfig } from './readConfig.ts'

/**
 * Loads the `config.json` of the page; `?key=…` in the URL replaces the key.
 *
 * @returns The configuration, or null when it is missing or invalid.
 */
export async function loadConfig(): Promise<Config | null> {
  try {
    const response = await fetch('./config.json', { cache: 'no-store' })
    return readConfig(await response.json())
  } catch {
    return null
  }
}
