import type { ReactNode } from 'react'
import { Nav } from './Nav'
import { Providers } from './Providers'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="de-CH">
      <body>
        <Nav path="/wallets" />
        <Providers>{children}</Providers>
      </body>
    </html>
  )
}
