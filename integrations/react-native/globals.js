// The globals that React Native installs, from its own modules, and AbortController as it was up to version 0.86: without
// `reason`. JavaScript engines of React Native provide none of them.
import { AbortController as OldAbortController } from 'abort-controller/dist/abort-controller'
import { fetch, Headers, Request, Response } from 'react-native/Libraries/Network/fetch'
import { URL, URLSearchParams } from 'react-native/Libraries/Blob/URL'
import { AbortController } from 'react-native/src/private/webapis/dom/abort-api/AbortController'

Object.assign(globalThis, { fetch, Headers, Request, Response, URL, URLSearchParams })
globalThis.AbortController = globalThis.useOldAbortController ? OldAbortController : AbortController
