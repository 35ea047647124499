import { type DehydratedState, HydrationBoundary } from '@tanstack/react-query'
import type { AppProps } from 'next/app'
import { Nav } from '../app/Nav'
import { Providers } from '../app/Providers'

export default function App({ Component, pageProps }: AppProps<{ state: DehydratedState }>) {
  return (
    <>
      <Nav path="/pages" />
      <Providers>
        <HydrationBoundary state={pageProps.state}>
          <Component {...pageProps} />
        </HydrationBoundary>
      </Providers>
    </>
  )
}
