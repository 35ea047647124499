import path from 'node:path'

/** Pictures of every screen and of what failed, for CI to keep; not in the repository. */
export const screenshotFolder = path.resolve(import.meta.dirname, '../screenshots')

/** Pictures for who reads about the demos; in the repository, renewed only when asked. */
export const documentedFolder = path.resolve(import.meta.dirname, '../../docs/screenshots')

/** Whether those in the repository are to be renewed. */
export const isUpdating = process.env.UPDATE_SCREENSHOTS === '1'
