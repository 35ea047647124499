import Link from 'next/link'
import type { ReactNode } from 'react'
import { Providers } from './Providers'

export const metadata = { title: 'Balances' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" style={{ colorScheme: 'light dark', overflowWrap: 'anywhere' }}>
      <body>
        <nav>
          <Link href="/">Home</Link>{' '}
          <Link href="?address=0xd8da6bf26964af9d7eed9e03e53415d37aa96045">vitalik.eth</Link>{' '}
          <Link href="?address=0xb8c2c29ee19d8307cb7255e1cd9cbde883a267d5">nick.eth</Link>
        </nav>
        <main>
          <h1>Balances</h1>
          <Providers>{children}</Providers>
        </main>
      </body>
    </html>
  )
}
