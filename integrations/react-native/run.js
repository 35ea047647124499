// Runs the bundle in a context that has only what Hermes has, and React Native's native timers and clock. Prints the
// report of each kind of AbortController.
const { readFileSync } = require('node:fs')
const vm = require('node:vm')

/** Those behind `AppState`. */
const nativeModules = {
  AppState: {
    getConstants: () => ({ initialAppState: 'active' }),
    getCurrentAppState: (resolve) => resolve({ app_state: 'active' }),
    addListener() {},
    removeListeners() {},
  },
  PlatformConstants: { getConstants: () => ({}) },
}

const code = readFileSync(process.argv[2], 'utf8')
for (const useOldAbortController of [false, true]) {
  const sandbox = {
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    atob,
    btoa,
    performance: { now: () => performance.now() },
    console,
    nativeModuleProxy: nativeModules,
    useOldAbortController,
    report: (text) => console.log(text),
  }
  vm.runInNewContext(code, sandbox, { filename: process.argv[2] })
}
