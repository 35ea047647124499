import { defineEnvVars } from '@sveltejs/kit/env'

/** Of the server, and never sent to browsers. */
export const variables = defineEnvVars({ HEADWATER_URL: {}, HEADWATER_API_KEY: {} })
