export { type FakeServer, listen, type ListenOptions } from './listen.ts'
