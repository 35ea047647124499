/** The purpose of keys for the operations of the API. */
export const DATA_PURPOSE = 'data'
