import path from 'node:path'

/** Root folder of the repository. */
export const root = path.resolve(import.meta.dirname, '../..')
