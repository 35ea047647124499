import { HEADWATER_API_KEY, HEADWATER_URL } from '$app/env/private'
import { createClient } from '@headwater/core'

/** A client of one request, as its cache contains the data of one visitor. */
export const createServerClient = () =>
  createClient({ baseUrl: HEADWATER_URL, apiKey: HEADWATER_API_KEY, scope: 'data' })
