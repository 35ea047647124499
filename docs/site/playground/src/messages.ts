/** A failure that the reader of a playground switches on. */
export type FaultName = 'rateLimit' | 'latency' | 'offline' | 'reorg'

/** From a playground to the page in its iframe. */
export type Command =
  | { readonly type: 'run'; readonly source: string }
  | { readonly type: 'fault'; readonly name: FaultName; readonly active: boolean }
  | { readonly type: 'theme'; readonly dark: boolean }

/** From the page in the iframe to its playground. */
export type Report =
  | { readonly type: 'ready'; readonly source: string }
  | {
      readonly type: 'units'
      readonly spent: number
      readonly requests: number
      readonly service: number
    }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'running' }
