export { createHandlers, type HandlersOptions } from './createHandlers.ts'
