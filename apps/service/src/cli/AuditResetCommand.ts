/** What an operator wants told by the ledger again. */
export interface AuditResetCommand {
  readonly type: 'audit-reset'
  readonly chainId: number
  /** Lower case. */
  readonly token: string
}
