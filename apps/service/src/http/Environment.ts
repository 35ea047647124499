import type { Key } from '../keys/Key.ts'

/** What travels with a request through the app. */
export interface Environment {
  Variables: {
    requestId: string
    /** When the request came in. */
    receivedAt: Date
    /** Which operation it asks for. */
    operation?: string
    /** The verified key, once there is one. */
    key?: Key
  }
}
