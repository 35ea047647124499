import { createClient } from '@headwater/core'

/** A client of one request, as its cache contains the data of one visitor. */
export const createServerClient = () =>
  createClient({
    baseUrl: process.env.HEADWATER_URL!,
    apiKey: process.env.HEADWATER_API_KEY!,
    scope: 'data',
  })
