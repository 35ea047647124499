import { writeFileSync } from 'node:fs'

/** Ports of what HAProxy listens on and forwards to. */
export interface BalancedPorts {
  readonly database: number
  readonly api: number
  readonly primary: number
  readonly standby: number
  readonly services: readonly number[]
}

/**
 * Writes the configuration of HAProxy: connections to the database go to the primary, and to the standby while the primary is
 * down; requests go to the services in turns.
 */
export function writeHaproxyConfig(file: string, ports: BalancedPorts): void {
  const services = ports.services.map((port) => `  server service-${port} 127.0.0.1:${port}`)
  writeFileSync(
    file,
    `global
  maxconn 2000
defaults
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
frontend database
  mode tcp
  bind 127.0.0.1:${ports.database}
  default_backend databases
backend databases
  mode tcp
  option pgsql-check user postgres
  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
  server primary 127.0.0.1:${ports.primary}
  server standby 127.0.0.1:${ports.standby} backup
frontend api
  mode http
  bind 127.0.0.1:${ports.api}
  default_backend services
backend services
  mode http
  balance roundrobin
  option httpchk
  http-check send meth GET uri /health ver HTTP/1.1 hdr Host localhost
  option redispatch 1
  retries 3
  default-server check inter 500ms fall 2 rise 1
${services.join('\n')}
`,
  )
}
