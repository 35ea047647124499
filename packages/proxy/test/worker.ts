import { createTestProxy, type TestProxyOptions } from './createTestProxy.ts'

let proxy: ReturnType<typeof createTestProxy> | undefined

export default {
  fetch(request: Request, bindings: TestProxyOptions): Promise<Response> {
    proxy ??= createTestProxy(bindings)
    return proxy(request)
  },
}
