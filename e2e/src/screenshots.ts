import path from 'node:path'

/** Screenshots of every screen and of failed tests; CI stores them as artifacts. */
export const screenshotFolder = path.resolve(import.meta.dirname, '../screenshots')

/** Screenshots of the documentation, committed. */
export const documentedFolder = path.resolve(import.meta.dirname, '../../docs/screenshots')

/** Whether to update the screenshots of the documentation. */
export const isUpdating = process.env.UPDATE_SCREENSHOTS === '1'
