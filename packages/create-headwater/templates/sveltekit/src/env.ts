import { defineEnvVars } from '@sveltejs/kit/env'

// Not required, so that the app builds without them. The proxy reports a missing one.
const schema = (value: string | undefined) => value

/** Variables of the server, from `.env` or the environment. */
export const variables = defineEnvVars({
  HEADWATER_URL: { schema },
  HEADWATER_API_KEY: { schema },
})
