import { type DehydratedState, HydrationBoundary } from '@tanstack/react-query'
import type { AppProps } from 'next/app'
import Link from 'next/link'
import { Providers } from '../app/Providers'

export default function App({ Component, pageProps }: AppProps<{ state: DehydratedState }>) {
  return (
    <>
      <nav>
        <Link href="/">Home</Link>
        <Link href="/pages?address=0xd8da6bf26964af9d7eed9e03e53415d37aa96045">vitalik.eth</Link>
        <Link href="/pages?address=0xb8c2c29ee19d8307cb7255e1cd9cbde883a267d5">nick.eth</Link>
      </nav>
      <Providers>
        <HydrationBoundary state={pageProps.state}>
          <Component {...pageProps} />
        </HydrationBoundary>
      </Providers>
    </>
  )
}
