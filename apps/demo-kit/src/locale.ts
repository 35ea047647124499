/** The locale of all three pages, whatever the reader's, so that they look the same. */
export const locale = 'en-US'
