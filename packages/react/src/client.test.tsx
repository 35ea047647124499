import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useClient } from './index.ts'

test('useClient requires a provider', () => {
  function Lost() {
    return <p>{useClient().baseUrl}</p>
  }
  expect(() => renderToString(<Lost />)).toThrow('HeadwaterProvider')
})
