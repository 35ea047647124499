import { createContext } from 'react'
import type { Client } from '@headwater/core'

/** Null rather than undefined, so that a forgotten provider is told apart from a forgotten value. */
export const clientContext = createContext<Client | null>(null)
