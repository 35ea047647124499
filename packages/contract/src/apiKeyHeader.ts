/** Header that carries the API key unless its user names another. Specification 5. */
export const API_KEY_HEADER = 'X-Service-Api-Key'
